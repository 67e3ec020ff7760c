-- Lists the changes that revert others, of each the first ones, in no order.
-- Parameters: $scope; the place after which to begin, ($after_tx, $after_seq, $after_id); $until; $reverts, a JSON list;
-- $episodes, $entities, JSON lists or NULL; $limit, -1 for no limit.
-- Columns: a change.
SELECT
  c.id, c.at_tx, c.at_seq, c.kind, c.claim, c.episode, c.actor, c.reason, c.reverts, c.standing, c.lanes,
  c.counts
FROM json_each($reverts) AS want
CROSS JOIN changes AS c
WHERE c.row IN (
  SELECT m.row FROM changes AS m INDEXED BY changes_by_reverts
  WHERE m.scope = $scope AND m.reverts = want.value AND m.reverts <> ''
    AND (m.at_tx, m.at_seq, m.id) > ($after_tx, $after_seq, $after_id) AND m.at_tx <= $until
    AND ($episodes IS NULL OR m.episode IN (SELECT value FROM json_each($episodes)))
    AND ($entities IS NULL OR EXISTS (
      SELECT 1 FROM json_each(m.lanes) AS l CROSS JOIN json_each($entities) AS w
      WHERE w.value = l.value ->> 0 OR w.value = l.value ->> 2))
  ORDER BY m.at_tx, m.at_seq, m.id LIMIT $limit
)
