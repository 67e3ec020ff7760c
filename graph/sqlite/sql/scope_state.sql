-- Returns what a word index must keep up with, and nothing for a scope that is gone.
-- Parameters: $scope.
-- Columns: clock, destroyed.
SELECT clock, destroyed FROM scopes WHERE key = $scope AND gone = 0
