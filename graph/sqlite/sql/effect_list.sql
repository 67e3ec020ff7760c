-- Lists the effects, in no order.
-- Parameters: $scope.
-- Columns: the row, which is the order of writing; an effect.
SELECT
  m.row,
  m.change, m.claim, m.kind, m.cause, m.within_from, m.within_to, m.keep, m.subject, m.predicate, m.object,
  m.at_tx, m.at_seq
FROM effects AS m INDEXED BY effects_by_change
WHERE m.scope = $scope
