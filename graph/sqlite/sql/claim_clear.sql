-- Deletes some of the claims of a scope that is gone.
-- Parameters: $scope; $limit.
DELETE FROM claims WHERE row IN (
  SELECT row FROM claims INDEXED BY claims_by_logged WHERE scope = $scope LIMIT $limit
)
