-- Replaces a placement.
-- Parameters: $scope; the columns of a placement.
UPDATE placements SET
  claim = $claim, fact = $fact, rec_tx = $rec_tx, rec_seq = $rec_seq, kind = $kind, trust = $trust,
  lane_subject = $lane_subject, lane_predicate = $lane_predicate, lane_object = $lane_object,
  subject = $subject, predicate = $predicate, object = $object, own = $own, valid_from = $valid_from,
  valid_to = $valid_to, precision_from = $precision_from, precision_to = $precision_to, holds_at = $holds_at,
  narrowed_from = $narrowed_from, narrowed_to = $narrowed_to, muted = $muted, from_tx = $from_tx,
  from_seq = $from_seq, to_tx = $to_tx, to_seq = $to_seq
WHERE scope = $scope AND id = $id
