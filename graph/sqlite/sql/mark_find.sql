-- Returns when facts were last used.
-- Parameters: $scope; $facts, a JSON list.
-- Columns: fact, used.
SELECT m.fact, m.used FROM json_each($facts) AS want
CROSS JOIN marks AS m
WHERE m.scope = $scope AND m.fact = want.value
