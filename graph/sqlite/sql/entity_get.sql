-- Returns the entities of these ids, in no order.
-- Parameters: $scope; $ids, a JSON list.
-- Columns: an entity.
SELECT
  e.id, e.name, e.kind, e.aliases, e.keys
FROM json_each($ids) AS want
CROSS JOIN entities AS e INDEXED BY entities_by_id
WHERE e.scope = $scope AND e.id = want.value
