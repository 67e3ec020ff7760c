-- Deletes some of the declarations of a scope that is gone.
-- Parameters: $scope; $limit.
DELETE FROM declarations WHERE row IN (
  SELECT row FROM declarations INDEXED BY declarations_by_change WHERE scope = $scope LIMIT $limit
)
