-- Destroys the marks of facts.
-- Parameters: $scope; $facts, a JSON list.
DELETE FROM marks WHERE scope = $scope AND fact IN (SELECT value FROM json_each($facts))
