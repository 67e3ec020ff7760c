-- Deletes some of the receipts of a scope that is gone.
-- Parameters: $scope; $limit.
DELETE FROM receipts WHERE scope = $scope AND key IN (
  SELECT key FROM receipts WHERE scope = $scope LIMIT $limit
)
