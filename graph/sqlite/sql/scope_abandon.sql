-- Makes a scope gone: its name, which may be used anew, and its settings go at once, its rows in pieces.
-- Parameters: $scope.
UPDATE scopes SET gone = 1, tenant = '', name = '', settings = '' WHERE key = $scope AND gone = 0
