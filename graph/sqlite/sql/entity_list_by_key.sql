-- Lists the entities that have a key by id.
-- Parameters: $scope; $key; $kind or NULL; $after, an id; $limit, -1 for no limit.
-- Columns: an entity.
SELECT
  e.id, e.name, e.kind, e.aliases, e.keys
FROM names AS n
CROSS JOIN entities AS e INDEXED BY entities_by_id ON e.scope = n.scope AND e.id = n.entity
WHERE n.scope = $scope AND n.key = $key AND n.entity > $after
  AND ($kind IS NULL OR e.kind = $kind)
ORDER BY n.entity LIMIT $limit
