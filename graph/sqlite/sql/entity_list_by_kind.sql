-- Lists the entities of a kind by id.
-- Parameters: $scope; $kind; $after, an id; $limit, -1 for no limit.
-- Columns: an entity.
SELECT
  e.id, e.name, e.kind, e.aliases, e.keys
FROM entities AS e INDEXED BY entities_by_kind
WHERE e.scope = $scope AND e.kind = $kind AND e.id > $after
ORDER BY e.id LIMIT $limit
