-- Deletes some of the versions of a scope that is gone.
-- Parameters: $scope; $limit.
DELETE FROM versions WHERE row IN (
  SELECT row FROM versions INDEXED BY versions_by_stamp WHERE scope = $scope LIMIT $limit
)
