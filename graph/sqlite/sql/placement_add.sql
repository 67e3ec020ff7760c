-- Adds a placement, unless there is one of that id.
-- Parameters: $scope; the columns of a placement.
INSERT INTO placements (
  scope, id, claim, fact, rec_tx, rec_seq, kind, trust, lane_subject, lane_predicate, lane_object, subject,
  predicate, object, own, valid_from, valid_to, precision_from, precision_to, holds_at, narrowed_from,
  narrowed_to, muted, from_tx, from_seq, to_tx, to_seq
) VALUES (
  $scope, $id, $claim, $fact, $rec_tx, $rec_seq, $kind, $trust, $lane_subject, $lane_predicate, $lane_object,
  $subject, $predicate, $object, $own, $valid_from, $valid_to, $precision_from, $precision_to, $holds_at,
  $narrowed_from, $narrowed_to, $muted, $from_tx, $from_seq, $to_tx, $to_seq
)
ON CONFLICT DO NOTHING
