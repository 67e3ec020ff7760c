-- Returns the entities that have one of the keys, one row for each key, in no order.
-- Parameters: $scope; $keys, a JSON list.
-- Columns: an entity.
SELECT
  e.id, e.name, e.kind, e.aliases, e.keys
FROM json_each($keys) AS want
CROSS JOIN names AS n ON n.scope = $scope AND n.key = want.value
CROSS JOIN entities AS e INDEXED BY entities_by_id ON e.scope = n.scope AND e.id = n.entity
