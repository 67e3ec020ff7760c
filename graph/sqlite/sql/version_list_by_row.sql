-- Lists the versions in these rows that are believed at $tx, in no order.
-- Parameters: $scope; $tx; $rows, a JSON list.
-- Columns: the row; a version.
SELECT
  m.row,
  m.id, m.fact, m.lane_subject, m.lane_predicate, m.lane_object, m.subject, m.predicate, m.object,
  m.valid_from, m.valid_to, m.precision_from, m.precision_to, m.text, m.type, m.importance, m.trust,
  m.hidden, m.tx_from, m.tx_to, m.begun, m.ended
FROM json_each($rows) AS want
CROSS JOIN versions AS m
WHERE m.row = want.value AND m.scope = $scope AND m.tx_from <= $tx AND $tx < m.tx_to
