-- Replaces a version.
-- Parameters: $scope; the columns of a version; $stamp, the update's time.
UPDATE versions SET
  fact = $fact, lane_subject = $lane_subject, lane_predicate = $lane_predicate, lane_object = $lane_object,
  subject = $subject, predicate = $predicate, object = $object, valid_from = $valid_from,
  valid_to = $valid_to, precision_from = $precision_from, precision_to = $precision_to, text = $text,
  type = $type, importance = $importance, trust = $trust, hidden = $hidden, tx_from = $tx_from,
  tx_to = $tx_to, begun = $begun, ended = $ended, stamp = $stamp
WHERE scope = $scope AND id = $id
