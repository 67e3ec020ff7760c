-- Destroys episodes.
-- Parameters: $scope; $ids, a JSON list.
DELETE FROM episodes WHERE row IN (
  SELECT m.row FROM json_each($ids) AS want
  CROSS JOIN episodes AS m INDEXED BY episodes_by_id
  WHERE m.scope = $scope AND m.id = want.value
)
