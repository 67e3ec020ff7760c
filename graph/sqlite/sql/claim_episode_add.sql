-- Makes a claim one of an episode.
-- Parameters: $scope; $episode; $logged_tx; $logged_seq; $claim.
INSERT INTO claim_episodes (scope, episode, logged_tx, logged_seq, claim) VALUES ($scope, $episode, $logged_tx, $logged_seq, $claim)
ON CONFLICT DO NOTHING
