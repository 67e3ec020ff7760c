-- Lists the last versions, in these lanes, of the facts that have no version at $tx any more, in no order.
-- Parameters: $scope; $tx; the place after which to begin, ($after_from, $after_to, $after_fact, $after_id); $begins_before;
-- $valid, $ends_from, $ends_before, $hidden or NULL; $lanes, a JSON list of [subject, predicate, object]; $subjects, $objects, $predicates, $types, JSON lists or NULL.
-- Columns: a version.
SELECT
  m.id, m.fact, m.lane_subject, m.lane_predicate, m.lane_object, m.subject, m.predicate, m.object,
  m.valid_from, m.valid_to, m.precision_from, m.precision_to, m.text, m.type, m.importance, m.trust,
  m.hidden, m.tx_from, m.tx_to, m.begun, m.ended
FROM json_each($lanes) AS want
CROSS JOIN versions AS m INDEXED BY versions_by_lane
WHERE m.scope = $scope AND m.lane_subject = want.value ->> 0 AND m.lane_predicate = want.value ->> 1 AND m.lane_object = want.value ->> 2
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
  AND ($subjects IS NULL OR m.subject IN (SELECT value FROM json_each($subjects)))
  AND ($objects IS NULL OR m.object IN (SELECT value FROM json_each($objects)))
  AND ($predicates IS NULL OR m.predicate IN (SELECT value FROM json_each($predicates)))
  AND ($types IS NULL OR m.type IN (SELECT value FROM json_each($types)))
