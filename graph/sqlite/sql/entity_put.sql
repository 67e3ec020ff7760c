-- Replaces an entity. The stamp moves only when the name does.
-- Parameters: $scope; the columns of an entity; $stamp, the update's time.
UPDATE entities SET
  name = $name, kind = $kind, aliases = $aliases, keys = $keys, stamp = iif(name = $name, stamp, $stamp)
WHERE scope = $scope AND id = $id
