-- Lists the placements of predicates, in no order.
-- Parameters: $scope; $predicates, a JSON list; $trust and $tx, at which they count, or NULL.
-- Columns: a placement.
SELECT
  m.id, m.claim, m.fact, m.rec_tx, m.rec_seq, m.kind, m.trust, m.lane_subject, m.lane_predicate,
  m.lane_object, m.subject, m.predicate, m.object, m.own, m.valid_from, m.valid_to, m.precision_from,
  m.precision_to, m.holds_at, m.narrowed_from, m.narrowed_to, m.muted, m.from_tx, m.from_seq, m.to_tx,
  m.to_seq
FROM json_each($predicates) AS want
CROSS JOIN placements AS m INDEXED BY placements_by_predicate
WHERE m.scope = $scope AND m.predicate = want.value
  AND ($trust IS NULL OR m.trust = $trust)
  AND ($tx IS NULL OR (m.from_tx <= $tx AND $tx < m.to_tx))
