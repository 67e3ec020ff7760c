-- Lists the changes that logged claims, of each the first ones, in no order.
-- Parameters: $scope; the place after which to begin, ($after_tx, $after_seq, $after_id); $until; $claims, a JSON list;
-- $reverts, $episodes, $entities, JSON lists or NULL; $limit, -1 for no limit.
-- Columns: a change.
SELECT
  c.id, c.at_tx, c.at_seq, c.kind, c.claim, c.episode, c.actor, c.reason, c.reverts, c.standing, c.lanes,
  c.counts
FROM json_each($claims) AS want
CROSS JOIN changes AS c
WHERE c.row IN (
  SELECT m.row FROM changes AS m INDEXED BY changes_by_claim
  WHERE m.scope = $scope AND m.claim = want.value AND m.claim <> ''
    AND (m.at_tx, m.at_seq, m.id) > ($after_tx, $after_seq, $after_id) AND m.at_tx <= $until
    AND ($reverts IS NULL OR m.reverts IN (SELECT value FROM json_each($reverts)))
    AND ($episodes IS NULL OR m.episode IN (SELECT value FROM json_each($episodes)))
    AND ($entities IS NULL OR EXISTS (
      SELECT 1 FROM json_each(m.lanes) AS l CROSS JOIN json_each($entities) AS w
      WHERE w.value = l.value ->> 0 OR w.value = l.value ->> 2))
  ORDER BY m.at_tx, m.at_seq, m.id LIMIT $limit
)
