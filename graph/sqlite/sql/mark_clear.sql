-- Deletes some of the marks of a scope that is gone.
-- Parameters: $scope; $limit.
DELETE FROM marks WHERE scope = $scope AND fact IN (
  SELECT fact FROM marks WHERE scope = $scope LIMIT $limit
)
