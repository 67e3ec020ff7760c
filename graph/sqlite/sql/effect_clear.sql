-- Deletes some of the effects of a scope that is gone.
-- Parameters: $scope; $limit.
DELETE FROM effects WHERE row IN (
  SELECT row FROM effects INDEXED BY effects_by_change WHERE scope = $scope LIMIT $limit
)
