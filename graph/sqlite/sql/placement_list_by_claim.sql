-- Lists the placements of claims, in no order.
-- Parameters: $scope; $claims, a JSON list; $subjects, $objects, $predicates, JSON lists or NULL; $trust and $tx, at which they count, or NULL.
-- Columns: a placement.
SELECT
  m.id, m.claim, m.fact, m.rec_tx, m.rec_seq, m.kind, m.trust, m.lane_subject, m.lane_predicate,
  m.lane_object, m.subject, m.predicate, m.object, m.own, m.valid_from, m.valid_to, m.precision_from,
  m.precision_to, m.holds_at, m.narrowed_from, m.narrowed_to, m.muted, m.from_tx, m.from_seq, m.to_tx,
  m.to_seq
FROM json_each($claims) AS want
CROSS JOIN placements AS m INDEXED BY placements_by_claim
WHERE m.scope = $scope AND m.claim = want.value
  AND ($subjects IS NULL OR m.subject IN (SELECT value FROM json_each($subjects)))
  AND ($objects IS NULL OR m.object IN (SELECT value FROM json_each($objects)))
  AND ($predicates IS NULL OR m.predicate IN (SELECT value FROM json_each($predicates)))
  AND ($trust IS NULL OR m.trust = $trust)
  AND ($tx IS NULL OR (m.from_tx <= $tx AND $tx < m.to_tx))
