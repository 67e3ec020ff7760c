-- Returns the effects on claims, caused by claims, and of changes, one row for each reason, in no order.
-- Parameters: $scope; $claims, $causes and $changes, JSON lists.
-- Columns: the row, which is the order of writing; an effect.
SELECT
  m.row,
  m.change, m.claim, m.kind, m.cause, m.within_from, m.within_to, m.keep, m.subject, m.predicate, m.object,
  m.at_tx, m.at_seq
FROM json_each($claims) AS want
CROSS JOIN effects AS m INDEXED BY effects_by_claim
WHERE m.scope = $scope AND m.claim = want.value
UNION ALL
SELECT
  m.row,
  m.change, m.claim, m.kind, m.cause, m.within_from, m.within_to, m.keep, m.subject, m.predicate, m.object,
  m.at_tx, m.at_seq
FROM json_each($causes) AS want
CROSS JOIN effects AS m INDEXED BY effects_by_cause
WHERE m.scope = $scope AND m.cause = want.value AND m.cause <> ''
UNION ALL
SELECT
  m.row,
  m.change, m.claim, m.kind, m.cause, m.within_from, m.within_to, m.keep, m.subject, m.predicate, m.object,
  m.at_tx, m.at_seq
FROM json_each($changes) AS want
CROSS JOIN effects AS m INDEXED BY effects_by_change
WHERE m.scope = $scope AND m.change = want.value
