-- Makes an entity found by a key.
-- Parameters: $scope; $key; $entity.
INSERT INTO names (scope, key, entity) VALUES ($scope, $key, $entity)
ON CONFLICT DO NOTHING
