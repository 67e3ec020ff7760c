-- Returns the changes of these ids, in no order.
-- Parameters: $scope; $ids, a JSON list.
-- Columns: a change.
SELECT
  c.id, c.at_tx, c.at_seq, c.kind, c.claim, c.episode, c.actor, c.reason, c.reverts, c.standing, c.lanes,
  c.counts
FROM json_each($ids) AS want
CROSS JOIN changes AS c INDEXED BY changes_by_id
WHERE c.scope = $scope AND c.id = want.value
