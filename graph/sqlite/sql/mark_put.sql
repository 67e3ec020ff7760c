-- Marks facts as used, those that there are, unless they were used later already.
-- Parameters: $scope; $facts, a JSON list; $used.
INSERT INTO marks (scope, fact, used)
SELECT $scope, want.value, $used FROM json_each($facts) AS want
WHERE EXISTS (SELECT 1 FROM versions AS m INDEXED BY versions_by_fact WHERE m.scope = $scope AND m.fact = want.value)
ON CONFLICT (scope, fact) DO UPDATE SET used = max(used, excluded.used)
