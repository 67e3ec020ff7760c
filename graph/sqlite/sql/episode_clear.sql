-- Deletes some of the episodes of a scope that is gone.
-- Parameters: $scope; $limit.
DELETE FROM episodes WHERE row IN (
  SELECT row FROM episodes INDEXED BY episodes_by_stamp WHERE scope = $scope LIMIT $limit
)
