-- Lists entities by id.
-- Parameters: $scope; $after, an id; $limit, -1 for no limit.
-- Columns: an entity.
SELECT
  e.id, e.name, e.kind, e.aliases, e.keys
FROM entities AS e INDEXED BY entities_by_id
WHERE e.scope = $scope AND e.id > $after
ORDER BY e.id LIMIT $limit
