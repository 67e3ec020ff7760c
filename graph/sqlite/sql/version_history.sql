-- Lists the versions of facts that began at or before $tx, in no order.
-- Parameters: $scope; $tx; $facts, a JSON list.
-- Columns: a version.
SELECT
  m.id, m.fact, m.lane_subject, m.lane_predicate, m.lane_object, m.subject, m.predicate, m.object,
  m.valid_from, m.valid_to, m.precision_from, m.precision_to, m.text, m.type, m.importance, m.trust,
  m.hidden, m.tx_from, m.tx_to, m.begun, m.ended
FROM json_each($facts) AS want
CROSS JOIN versions AS m INDEXED BY versions_by_fact
WHERE m.scope = $scope AND m.fact = want.value AND m.tx_from <= $tx
