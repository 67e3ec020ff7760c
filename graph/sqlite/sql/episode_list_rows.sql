-- Lists the rows of the episodes of a scope.
-- Parameters: $scope.
-- Columns: row.
SELECT m.row FROM episodes AS m INDEXED BY episodes_by_stamp WHERE m.scope = $scope
