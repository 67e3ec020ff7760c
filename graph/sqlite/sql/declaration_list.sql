-- Lists the declarations, in no order.
-- Parameters: $scope.
-- Columns: a declaration.
SELECT
  m.change, m.predicate, m.at_tx, m.at_seq
FROM declarations AS m INDEXED BY declarations_by_change
WHERE m.scope = $scope
