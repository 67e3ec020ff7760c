-- Returns a receipt.
-- Parameters: $scope; $key.
-- Columns: hash, tx, results, episodes.
SELECT hash, tx, results, episodes FROM receipts WHERE scope = $scope AND key = $key
