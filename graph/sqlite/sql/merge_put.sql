-- Adds or replaces a merge.
-- Parameters: $scope; the columns of a merge.
INSERT INTO merges (
  scope, change, from_entity, into_entity, at_tx, at_seq
) VALUES (
  $scope, $change, $from_entity, $into_entity, $at_tx, $at_seq
)
ON CONFLICT (scope, change, from_entity, into_entity) DO UPDATE SET
  at_tx = excluded.at_tx, at_seq = excluded.at_seq
