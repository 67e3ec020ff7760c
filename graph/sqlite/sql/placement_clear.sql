-- Deletes some of the placements of a scope that is gone.
-- Parameters: $scope; $limit.
DELETE FROM placements WHERE row IN (
  SELECT row FROM placements INDEXED BY placements_by_claim WHERE scope = $scope LIMIT $limit
)
