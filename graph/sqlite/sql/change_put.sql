-- Replaces a change.
-- Parameters: $scope; the columns of a change.
UPDATE changes SET
  at_tx = $at_tx, at_seq = $at_seq, kind = $kind, claim = $claim, episode = $episode, actor = $actor,
  reason = $reason, reverts = $reverts, standing = $standing, lanes = $lanes, counts = $counts
WHERE scope = $scope AND id = $id
