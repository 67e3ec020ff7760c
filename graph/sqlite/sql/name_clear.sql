-- Deletes some of the names of a scope that is gone.
-- Parameters: $scope; $limit.
DELETE FROM names WHERE (scope, key, entity) IN (
  SELECT scope, key, entity FROM names WHERE scope = $scope LIMIT $limit
)
