-- Adds an effect.
-- Parameters: $scope; the columns of an effect.
INSERT INTO effects (
  scope, change, claim, kind, cause, within_from, within_to, keep, subject, predicate, object, at_tx, at_seq
) VALUES (
  $scope, $change, $claim, $kind, $cause, $within_from, $within_to, $keep, $subject, $predicate, $object,
  $at_tx, $at_seq
)
