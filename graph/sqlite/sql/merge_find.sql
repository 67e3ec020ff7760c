-- Returns the merges that have one of the entities on either side, one row for each reason, in no order.
-- Parameters: $scope; $entities, a JSON list.
-- Columns: a merge.
SELECT
  m.change, m.from_entity, m.into_entity, m.at_tx, m.at_seq
FROM json_each($entities) AS want
CROSS JOIN merges AS m INDEXED BY merges_by_from
WHERE m.scope = $scope AND m.from_entity = want.value
UNION ALL
SELECT
  m.change, m.from_entity, m.into_entity, m.at_tx, m.at_seq
FROM json_each($entities) AS want
CROSS JOIN merges AS m INDEXED BY merges_by_into
WHERE m.scope = $scope AND m.into_entity = want.value
