-- Adds an entity, unless there is one of that id.
-- Parameters: $scope; the columns of an entity; $stamp, the update's time.
INSERT INTO entities (
  scope, id, name, kind, aliases, keys, stamp
) VALUES (
  $scope, $id, $name, $kind, $aliases, $keys, $stamp
)
ON CONFLICT DO NOTHING
