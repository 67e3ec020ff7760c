-- Returns those of the hashes that are tombstones.
-- Parameters: $scope; $hashes, a JSON list.
-- Columns: hash.
SELECT t.hash FROM json_each($hashes) AS want
CROSS JOIN tombstones AS t
WHERE t.scope = $scope AND t.hash = want.value
