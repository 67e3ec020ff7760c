-- Lists the episodes of statuses, of each the first ones, in no order. One without a time passes no bound.
-- Parameters: $scope; $statuses, a JSON list; the place after which to begin, ($after_tx, $after_seq, $after_id); $since and $until or NULL; $limit, -1 for no limit.
-- Columns: an episode.
SELECT
  e.id, e.kind, e.conversation, e.speaker, e.role, e.text, e.occurred, e.precision, e.east, e.metadata,
  e.extract, e.hash, e.recorded_tx, e.recorded_seq, e.status, e.attempts, e.error, e.outcome
FROM json_each($statuses) AS want
CROSS JOIN episodes AS e
WHERE e.row IN (
  SELECT m.row FROM episodes AS m INDEXED BY episodes_by_status
  WHERE m.scope = $scope AND m.status = want.value
    AND (m.recorded_tx, m.recorded_seq, m.id) > ($after_tx, $after_seq, $after_id)
    AND ($since IS NULL OR $since <= m.occurred)
    AND ($until IS NULL OR (m.occurred < $until AND m.occurred > -9223372036854775808))
  ORDER BY m.recorded_tx, m.recorded_seq, m.id LIMIT $limit
)
