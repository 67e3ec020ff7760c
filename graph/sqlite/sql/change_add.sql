-- Adds a change, unless there is one of that id.
-- Parameters: $scope; the columns of a change.
INSERT INTO changes (
  scope, id, at_tx, at_seq, kind, claim, episode, actor, reason, reverts, standing, lanes, counts
) VALUES (
  $scope, $id, $at_tx, $at_seq, $kind, $claim, $episode, $actor, $reason, $reverts, $standing, $lanes,
  $counts
)
ON CONFLICT DO NOTHING
