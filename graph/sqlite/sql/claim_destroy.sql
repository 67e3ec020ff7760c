-- Destroys claims.
-- Parameters: $scope; $ids, a JSON list.
DELETE FROM claims WHERE row IN (
  SELECT m.row FROM json_each($ids) AS want
  CROSS JOIN claims AS m INDEXED BY claims_by_id
  WHERE m.scope = $scope AND m.id = want.value
)
