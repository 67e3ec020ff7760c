-- Destroys the effects caused by claims.
-- Parameters: $scope; $causes, a JSON list.
DELETE FROM effects WHERE row IN (
  SELECT m.row FROM json_each($causes) AS want
  CROSS JOIN effects AS m INDEXED BY effects_by_cause
  WHERE m.scope = $scope AND m.cause = want.value AND m.cause <> ''
)
