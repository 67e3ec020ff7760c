-- Sets whether a change that is otherwise the same stands.
-- Parameters: $scope; the columns of a change.
UPDATE changes SET
  standing = $standing
WHERE scope = $scope AND id = $id
  AND at_tx = $at_tx AND at_seq = $at_seq AND kind = $kind AND claim = $claim AND episode = $episode AND
    actor = $actor AND reason = $reason AND reverts = $reverts AND lanes = $lanes AND counts = $counts
