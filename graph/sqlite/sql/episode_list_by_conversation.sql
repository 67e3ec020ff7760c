-- Lists the episodes of a conversation, in their order. One without a time passes no bound.
-- Parameters: $scope; $conversation; the place after which to begin, ($after_tx, $after_seq, $after_id); $since and $until or NULL; $statuses, a JSON list or NULL; $limit, -1 for no limit.
-- Columns: an episode.
SELECT
  m.id, m.kind, m.conversation, m.speaker, m.role, m.text, m.occurred, m.precision, m.east, m.metadata,
  m.extract, m.hash, m.recorded_tx, m.recorded_seq, m.status, m.attempts, m.error, m.outcome
FROM episodes AS m INDEXED BY episodes_by_conversation
WHERE m.scope = $scope AND m.conversation = $conversation
  AND (m.recorded_tx, m.recorded_seq, m.id) > ($after_tx, $after_seq, $after_id)
  AND ($since IS NULL OR $since <= m.occurred)
  AND ($until IS NULL OR (m.occurred < $until AND m.occurred > -9223372036854775808))
  AND ($statuses IS NULL OR m.status IN (SELECT value FROM json_each($statuses)))
ORDER BY m.recorded_tx, m.recorded_seq, m.id LIMIT $limit
