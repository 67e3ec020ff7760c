-- Lists the changes that touched lanes of entities, of each the first ones on either side, in no order.
-- Parameters: $scope; the place after which to begin, ($after_tx, $after_seq, $after_id); $until; $entities, a JSON list; $limit, -1 for no limit.
-- Columns: a change.
SELECT
  c.id, c.at_tx, c.at_seq, c.kind, c.claim, c.episode, c.actor, c.reason, c.reverts, c.standing, c.lanes,
  c.counts
FROM json_each($entities) AS want
CROSS JOIN changes AS c
WHERE c.row IN (
  SELECT row FROM (
    SELECT m.row FROM change_lanes AS k INDEXED BY change_lanes_by_subject
    CROSS JOIN changes AS m INDEXED BY changes_by_id ON m.scope = k.scope AND m.id = k.change
    WHERE k.scope = $scope AND k.subject = want.value
      AND (k.at_tx, k.at_seq, k.change) > ($after_tx, $after_seq, $after_id) AND k.at_tx <= $until
    GROUP BY k.at_tx, k.at_seq, k.change
    ORDER BY k.at_tx, k.at_seq, k.change LIMIT $limit)
  UNION ALL
  SELECT row FROM (
    SELECT m.row FROM change_lanes AS k INDEXED BY change_lanes_by_object
    CROSS JOIN changes AS m INDEXED BY changes_by_id ON m.scope = k.scope AND m.id = k.change
    WHERE k.scope = $scope AND k.object = want.value AND k.object <> ''
      AND (k.at_tx, k.at_seq, k.change) > ($after_tx, $after_seq, $after_id) AND k.at_tx <= $until
    GROUP BY k.at_tx, k.at_seq, k.change
    ORDER BY k.at_tx, k.at_seq, k.change LIMIT $limit)
)
