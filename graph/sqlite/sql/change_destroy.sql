-- Destroys changes.
-- Parameters: $scope; $ids, a JSON list.
DELETE FROM changes WHERE row IN (
  SELECT m.row FROM json_each($ids) AS want
  CROSS JOIN changes AS m INDEXED BY changes_by_id
  WHERE m.scope = $scope AND m.id = want.value
)
