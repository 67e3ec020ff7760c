-- Lists the merges, in no order.
-- Parameters: $scope.
-- Columns: a merge.
SELECT
  m.change, m.from_entity, m.into_entity, m.at_tx, m.at_seq
FROM merges AS m INDEXED BY merges_by_change
WHERE m.scope = $scope
