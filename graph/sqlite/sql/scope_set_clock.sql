-- Moves the clock of a scope.
-- Parameters: $scope; $clock, the update's time; $destroyed, the same or NULL if the update destroyed nothing.
UPDATE scopes SET clock = $clock, destroyed = COALESCE($destroyed, destroyed) WHERE key = $scope
