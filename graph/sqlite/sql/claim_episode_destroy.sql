-- Makes claims those of no episode, before they are replaced or destroyed.
-- Parameters: $scope; $ids, a JSON list.
DELETE FROM claim_episodes WHERE (scope, episode, logged_tx, logged_seq, claim) IN (
  SELECT m.scope, s.value ->> 0, m.logged_tx, m.logged_seq, m.id FROM json_each($ids) AS want
  CROSS JOIN claims AS m INDEXED BY claims_by_id ON m.scope = $scope AND m.id = want.value
  CROSS JOIN json_each(m.sources) AS s
)
