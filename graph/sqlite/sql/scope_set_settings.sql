-- Replaces the settings of a scope.
-- Parameters: $scope; $settings, JSON.
UPDATE scopes SET settings = $settings WHERE key = $scope
