-- Adds or replaces a declaration.
-- Parameters: $scope; $change; $name, the predicate's; $predicate, JSON; $at_tx; $at_seq.
INSERT INTO declarations (
  scope, change, name, predicate, at_tx, at_seq
) VALUES (
  $scope, $change, $name, $predicate, $at_tx, $at_seq
)
ON CONFLICT (scope, change) DO UPDATE SET
  name = excluded.name, predicate = excluded.predicate, at_tx = excluded.at_tx, at_seq = excluded.at_seq
