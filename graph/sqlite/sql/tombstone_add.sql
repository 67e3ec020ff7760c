-- Adds a tombstone, unless it is there.
-- Parameters: $scope; $hash.
INSERT INTO tombstones (scope, hash) VALUES ($scope, $hash)
ON CONFLICT DO NOTHING
