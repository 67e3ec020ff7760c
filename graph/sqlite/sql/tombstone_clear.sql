-- Deletes some of the tombstones of a scope that is gone.
-- Parameters: $scope; $limit.
DELETE FROM tombstones WHERE scope = $scope AND hash IN (
  SELECT hash FROM tombstones WHERE scope = $scope LIMIT $limit
)
