-- Adds a claim, unless there is one of that id.
-- Parameters: $scope; the columns of a claim.
INSERT INTO claims (
  scope, id, kind, subject, predicate, object, text, type, importance, valid_from, valid_to, precision_from,
  precision_to, holds_at, trust, sources, replaces, origin, correction, actor, extractor, change, logged_tx,
  logged_seq, rec_tx, rec_seq
) VALUES (
  $scope, $id, $kind, $subject, $predicate, $object, $text, $type, $importance, $valid_from, $valid_to,
  $precision_from, $precision_to, $holds_at, $trust, $sources, $replaces, $origin, $correction, $actor,
  $extractor, $change, $logged_tx, $logged_seq, $rec_tx, $rec_seq
)
ON CONFLICT DO NOTHING
