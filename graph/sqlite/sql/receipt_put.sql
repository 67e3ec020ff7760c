-- Adds or replaces a receipt.
-- Parameters: $scope; $key; $hash; $tx; $results and $episodes, JSON.
INSERT INTO receipts (
  scope, key, hash, tx, results, episodes
) VALUES (
  $scope, $key, $hash, $tx, $results, $episodes
)
ON CONFLICT (scope, key) DO UPDATE SET
  hash = excluded.hash, tx = excluded.tx, results = excluded.results, episodes = excluded.episodes
