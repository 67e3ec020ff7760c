-- Deletes some of the merges of a scope that is gone.
-- Parameters: $scope; $limit.
DELETE FROM merges WHERE row IN (
  SELECT row FROM merges INDEXED BY merges_by_change WHERE scope = $scope LIMIT $limit
)
