-- Makes entities found by no key, before they are replaced or destroyed.
-- Parameters: $scope; $ids, a JSON list.
DELETE FROM names WHERE (scope, key, entity) IN (
  SELECT m.scope, k.value, m.id FROM json_each($ids) AS want
  CROSS JOIN entities AS m INDEXED BY entities_by_id ON m.scope = $scope AND m.id = want.value
  CROSS JOIN json_each(m.keys) AS k
)
