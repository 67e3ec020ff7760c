-- Lists the episodes in these rows, in no order.
-- Parameters: $scope; $rows, a JSON list.
-- Columns: the row; an episode.
SELECT
  m.row,
  m.id, m.kind, m.conversation, m.speaker, m.role, m.text, m.occurred, m.precision, m.east, m.metadata,
  m.extract, m.hash, m.recorded_tx, m.recorded_seq, m.status, m.attempts, m.error, m.outcome
FROM json_each($rows) AS want
CROSS JOIN episodes AS m
WHERE m.row = want.value AND m.scope = $scope
