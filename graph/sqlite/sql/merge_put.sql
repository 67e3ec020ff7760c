-- Adds or replaces a merge.
-- Parameters: $scope; the columns of a merge.
INSERT INTO merges (
  scope, change, from_entity, into_entity, at_tx, at_seq
) VALUES (
  $scope, $change, $from_entity, $into_entity, $at_tx, $at_seq
)
ON CONFLICT (scope, change) DO UPDATE SET
  from_entity = excluded.from_entity, into_entity = excluded.into_entity, at_tx = excluded.at_tx,
  at_seq = excluded.at_seq
