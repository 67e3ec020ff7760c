-- Adds a version, unless there is one of that id.
-- Parameters: $scope; the columns of a version; $stamp, the update's time.
INSERT INTO versions (
  scope, id, fact, lane_subject, lane_predicate, lane_object, subject, predicate, object, valid_from,
  valid_to, precision_from, precision_to, text, type, importance, trust, hidden, tx_from, tx_to, begun,
  ended, stamp
) VALUES (
  $scope, $id, $fact, $lane_subject, $lane_predicate, $lane_object, $subject, $predicate, $object,
  $valid_from, $valid_to, $precision_from, $precision_to, $text, $type, $importance, $trust, $hidden,
  $tx_from, $tx_to, $begun, $ended, $stamp
)
ON CONFLICT DO NOTHING
