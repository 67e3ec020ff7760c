-- Sets the transaction end of a version that is otherwise the same, without touching the indexes of the rest.
-- Parameters: $scope; the columns of a version; $stamp, the update's time.
UPDATE versions SET
  tx_to = $tx_to, ended = $ended, stamp = $stamp
WHERE scope = $scope AND id = $id
  AND fact = $fact AND lane_subject = $lane_subject AND lane_predicate = $lane_predicate AND
    lane_object = $lane_object AND subject = $subject AND predicate = $predicate AND object = $object AND
    valid_from = $valid_from AND valid_to = $valid_to AND precision_from = $precision_from AND
    precision_to = $precision_to AND text = $text AND type = $type AND importance = $importance AND
    trust = $trust AND hidden = $hidden AND tx_from = $tx_from AND begun = $begun
