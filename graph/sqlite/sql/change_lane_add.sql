-- Makes a change one of a lane.
-- Parameters: $scope; $subject; $predicate; $object; $at_tx; $at_seq; $change.
INSERT INTO change_lanes (scope, subject, predicate, object, at_tx, at_seq, change)
VALUES ($scope, $subject, $predicate, $object, $at_tx, $at_seq, $change)
ON CONFLICT DO NOTHING
