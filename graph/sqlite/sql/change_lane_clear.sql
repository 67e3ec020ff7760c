-- Deletes some of the change_lanes of a scope that is gone.
-- Parameters: $scope; $limit.
DELETE FROM change_lanes WHERE (scope, subject, predicate, object, at_tx, at_seq, change) IN (
  SELECT scope, subject, predicate, object, at_tx, at_seq, change FROM change_lanes WHERE scope = $scope LIMIT $limit
)
