-- Counts the entities, episodes and changes of a scope.
-- Parameters: $scope.
-- Columns: entities, episodes, changes.
SELECT
  (SELECT COUNT(*) FROM entities INDEXED BY entities_by_id WHERE scope = $scope),
  (SELECT COUNT(*) FROM episodes INDEXED BY episodes_by_id WHERE scope = $scope),
  (SELECT COUNT(*) FROM changes INDEXED BY changes_by_id WHERE scope = $scope)
