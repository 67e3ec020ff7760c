-- Destroys the effects of changes.
-- Parameters: $scope; $changes, a JSON list.
DELETE FROM effects WHERE row IN (
  SELECT m.row FROM json_each($changes) AS want
  CROSS JOIN effects AS m INDEXED BY effects_by_change
  WHERE m.scope = $scope AND m.change = want.value
)
