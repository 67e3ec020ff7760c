-- Lists the changes that touched lanes, of each the first ones, in no order.
-- Parameters: $scope; the place after which to begin, ($after_tx, $after_seq, $after_id); $until; $lanes, a JSON list of [subject, predicate, object];
-- $claims, $reverts, $episodes, $entities, JSON lists or NULL; $limit, -1 for no limit.
-- Columns: a change.
SELECT
  c.id, c.at_tx, c.at_seq, c.kind, c.claim, c.episode, c.actor, c.reason, c.reverts, c.standing, c.lanes,
  c.counts
FROM json_each($lanes) AS want
CROSS JOIN changes AS c
WHERE c.row IN (
  SELECT m.row FROM change_lanes AS k
  CROSS JOIN changes AS m INDEXED BY changes_by_id ON m.scope = k.scope AND m.id = k.change
  WHERE k.scope = $scope AND k.subject = want.value ->> 0 AND k.predicate = want.value ->> 1 AND k.object = want.value ->> 2
    AND (k.at_tx, k.at_seq, k.change) > ($after_tx, $after_seq, $after_id) AND k.at_tx <= $until
    AND ($claims IS NULL OR m.claim IN (SELECT value FROM json_each($claims)))
    AND ($reverts IS NULL OR m.reverts IN (SELECT value FROM json_each($reverts)))
    AND ($episodes IS NULL OR m.episode IN (SELECT value FROM json_each($episodes)))
    AND ($entities IS NULL OR EXISTS (
      SELECT 1 FROM json_each(m.lanes) AS l CROSS JOIN json_each($entities) AS w
      WHERE w.value = l.value ->> 0 OR w.value = l.value ->> 2))
  ORDER BY k.at_tx, k.at_seq, k.change LIMIT $limit
)
