-- Sets the end of a placement that is otherwise the same, without touching the indexes of the rest.
-- Parameters: $scope; the columns of a placement.
UPDATE placements SET
  to_tx = $to_tx, to_seq = $to_seq
WHERE scope = $scope AND id = $id
  AND claim = $claim AND fact = $fact AND rec_tx = $rec_tx AND rec_seq = $rec_seq AND kind = $kind AND
    trust = $trust AND lane_subject = $lane_subject AND lane_predicate = $lane_predicate AND
    lane_object = $lane_object AND subject = $subject AND predicate = $predicate AND object = $object AND
    own = $own AND valid_from = $valid_from AND valid_to = $valid_to AND precision_from = $precision_from AND
    precision_to = $precision_to AND holds_at = $holds_at AND narrowed_from = $narrowed_from AND
    narrowed_to = $narrowed_to AND muted = $muted AND from_tx = $from_tx AND from_seq = $from_seq
