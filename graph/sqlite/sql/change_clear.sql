-- Deletes some of the changes of a scope that is gone.
-- Parameters: $scope; $limit.
DELETE FROM changes WHERE row IN (
  SELECT row FROM changes INDEXED BY changes_by_at WHERE scope = $scope LIMIT $limit
)
