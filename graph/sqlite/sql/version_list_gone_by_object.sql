-- Lists the last versions of the facts that have no version at $tx any more, of each object the first ones, in no order.
-- Parameters: $scope; $tx; the place after which to begin, ($after_from, $after_to, $after_fact, $after_id); $begins_before;
-- $valid, $ends_from, $ends_before, $hidden or NULL; $objects, a JSON list; $predicates, $types, JSON lists or NULL; $limit, -1 for no limit.
-- Columns: a version.
SELECT
  v.id, v.fact, v.lane_subject, v.lane_predicate, v.lane_object, v.subject, v.predicate, v.object,
  v.valid_from, v.valid_to, v.precision_from, v.precision_to, v.text, v.type, v.importance, v.trust,
  v.hidden, v.tx_from, v.tx_to, v.begun, v.ended
FROM json_each($objects) AS want
CROSS JOIN versions AS v
WHERE v.row IN (
  SELECT m.row FROM versions AS m INDEXED BY versions_by_object
  WHERE m.scope = $scope AND m.object = want.value
    AND (m.valid_from, m.valid_to, m.fact, m.id) > ($after_from, $after_to, $after_fact, $after_id)
    AND m.valid_from < $begins_before
    AND m.tx_to < 9223372036854775807 AND m.tx_to <= $tx
    AND NOT EXISTS (
      SELECT 1 FROM versions AS b INDEXED BY versions_by_fact
      WHERE b.scope = m.scope AND b.fact = m.fact AND b.tx_from <= $tx AND $tx < b.tx_to)
    AND NOT EXISTS (
      SELECT 1 FROM versions AS l INDEXED BY versions_by_fact
      WHERE l.scope = m.scope AND l.fact = m.fact AND l.tx_to <= $tx
        AND (l.tx_to, l.tx_from, l.valid_from, l.id) > (m.tx_to, m.tx_from, m.valid_from, m.id))
    AND ($valid IS NULL OR (m.valid_from <= $valid AND $valid < m.valid_to))
    AND ($ends_from IS NULL OR $ends_from <= m.valid_to)
    AND ($ends_before IS NULL OR m.valid_to < $ends_before)
    AND ($hidden IS NULL OR m.hidden = $hidden)
    AND ($predicates IS NULL OR m.predicate IN (SELECT value FROM json_each($predicates)))
    AND ($types IS NULL OR m.type IN (SELECT value FROM json_each($types)))
  ORDER BY m.valid_from, m.valid_to, m.fact, m.id LIMIT $limit
)
