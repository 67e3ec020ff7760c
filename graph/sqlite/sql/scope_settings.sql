-- Returns the settings of a scope that is not gone.
-- Parameters: $scope.
-- Columns: settings, JSON.
SELECT settings FROM scopes WHERE key = $scope AND gone = 0
