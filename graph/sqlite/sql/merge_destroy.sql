-- Destroys the merges of changes.
-- Parameters: $scope; $changes, a JSON list.
DELETE FROM merges WHERE row IN (
  SELECT m.row FROM json_each($changes) AS want
  CROSS JOIN merges AS m INDEXED BY merges_by_change
  WHERE m.scope = $scope AND m.change = want.value
)
