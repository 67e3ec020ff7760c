-- Deletes some of the entities of a scope that is gone.
-- Parameters: $scope; $limit.
DELETE FROM entities WHERE row IN (
  SELECT row FROM entities INDEXED BY entities_by_stamp WHERE scope = $scope LIMIT $limit
)
