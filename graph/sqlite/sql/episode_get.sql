-- Returns the episodes of these ids, in no order.
-- Parameters: $scope; $ids, a JSON list.
-- Columns: an episode.
SELECT
  e.id, e.kind, e.conversation, e.speaker, e.role, e.text, e.occurred, e.precision, e.east, e.metadata,
  e.extract, e.hash, e.recorded_tx, e.recorded_seq, e.status, e.attempts, e.error, e.outcome
FROM json_each($ids) AS want
CROSS JOIN episodes AS e INDEXED BY episodes_by_id
WHERE e.scope = $scope AND e.id = want.value
