-- Deletes some of the claim_episodes of a scope that is gone.
-- Parameters: $scope; $limit.
DELETE FROM claim_episodes WHERE (scope, episode, logged_tx, logged_seq, claim) IN (
  SELECT scope, episode, logged_tx, logged_seq, claim FROM claim_episodes WHERE scope = $scope LIMIT $limit
)
