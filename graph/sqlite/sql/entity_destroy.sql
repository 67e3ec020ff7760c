-- Destroys entities.
-- Parameters: $scope; $ids, a JSON list.
DELETE FROM entities WHERE row IN (
  SELECT m.row FROM json_each($ids) AS want
  CROSS JOIN entities AS m INDEXED BY entities_by_id
  WHERE m.scope = $scope AND m.id = want.value
)
