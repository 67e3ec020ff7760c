-- Lists the versions believed at $tx around entities: of each entity the most important ones on either side, in no order.
-- Parameters: $scope; $tx; $valid or NULL; $entities, a JSON list; $limit for each entity and side, -1 for no limit.
-- Columns: the entity; a version.
SELECT
  want.value,
  v.id, v.fact, v.lane_subject, v.lane_predicate, v.lane_object, v.subject, v.predicate, v.object,
  v.valid_from, v.valid_to, v.precision_from, v.precision_to, v.text, v.type, v.importance, v.trust,
  v.hidden, v.tx_from, v.tx_to, v.begun, v.ended
FROM json_each($entities) AS want
CROSS JOIN versions AS v
WHERE v.row IN (
  SELECT row FROM (
    SELECT m.row FROM versions AS m INDEXED BY versions_around_subject
    WHERE m.scope = $scope AND m.subject = want.value AND m.hidden = 0
      AND m.tx_from <= $tx AND $tx < m.tx_to
      AND ($valid IS NULL OR (m.valid_from <= $valid AND $valid < m.valid_to))
    ORDER BY m.importance DESC, m.id LIMIT $limit)
  UNION ALL
  SELECT row FROM (
    SELECT m.row FROM versions AS m INDEXED BY versions_around_object
    WHERE m.scope = $scope AND m.object = want.value AND m.hidden = 0
      AND m.tx_from <= $tx AND $tx < m.tx_to
      AND ($valid IS NULL OR (m.valid_from <= $valid AND $valid < m.valid_to))
    ORDER BY m.importance DESC, m.id LIMIT $limit)
)
