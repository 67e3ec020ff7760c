-- Counts what an erase of a scope destroys.
-- Parameters: $scope.
-- Columns: entities, episodes, changes, facts, versions.
SELECT
  (SELECT COUNT(*) FROM entities INDEXED BY entities_by_id WHERE scope = $scope),
  (SELECT COUNT(*) FROM episodes INDEXED BY episodes_by_id WHERE scope = $scope),
  (SELECT COUNT(*) FROM changes INDEXED BY changes_by_id WHERE scope = $scope),
  (SELECT COUNT(*) FROM (SELECT 1 FROM versions INDEXED BY versions_by_fact WHERE scope = $scope GROUP BY fact)),
  (SELECT COUNT(*) FROM versions INDEXED BY versions_by_id WHERE scope = $scope)
