-- Makes changes those of no lane, before they are replaced or destroyed.
-- Parameters: $scope; $ids, a JSON list.
DELETE FROM change_lanes WHERE (scope, subject, predicate, object, at_tx, at_seq, change) IN (
  SELECT m.scope, l.value ->> 0, l.value ->> 1, l.value ->> 2, m.at_tx, m.at_seq, m.id FROM json_each($ids) AS want
  CROSS JOIN changes AS m INDEXED BY changes_by_id ON m.scope = $scope AND m.id = want.value
  CROSS JOIN json_each(m.lanes) AS l
)
