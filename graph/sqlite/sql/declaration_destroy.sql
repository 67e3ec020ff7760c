-- Destroys the declarations of changes.
-- Parameters: $scope; $changes, a JSON list.
DELETE FROM declarations WHERE row IN (
  SELECT m.row FROM json_each($changes) AS want
  CROSS JOIN declarations AS m INDEXED BY declarations_by_change
  WHERE m.scope = $scope AND m.change = want.value
)
