-- Lists the rows of the versions of a scope, of all times.
-- Parameters: $scope.
-- Columns: row.
SELECT m.row FROM versions AS m INDEXED BY versions_by_stamp WHERE m.scope = $scope
