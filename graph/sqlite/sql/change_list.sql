-- Lists changes, in their order.
-- Parameters: $scope; the place after which to begin, ($after_tx, $after_seq, $after_id); $until; $limit, -1 for no limit.
-- Columns: a change.
SELECT
  m.id, m.at_tx, m.at_seq, m.kind, m.claim, m.episode, m.actor, m.reason, m.reverts, m.standing, m.lanes,
  m.counts
FROM changes AS m INDEXED BY changes_by_at
WHERE m.scope = $scope
  AND (m.at_tx, m.at_seq, m.id) > ($after_tx, $after_seq, $after_id) AND m.at_tx <= $until
ORDER BY m.at_tx, m.at_seq, m.id LIMIT $limit
