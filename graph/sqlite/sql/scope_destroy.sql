-- Deletes a scope that is gone and has no rows any more.
-- Parameters: $scope.
DELETE FROM scopes WHERE key = $scope AND gone = 1
