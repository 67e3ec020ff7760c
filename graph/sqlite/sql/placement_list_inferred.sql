-- Lists placements of inferred claims, in no order.
-- Parameters: $scope; $tx, at which they count, or NULL.
-- Columns: a placement.
SELECT
  m.id, m.claim, m.fact, m.rec_tx, m.rec_seq, m.kind, m.trust, m.lane_subject, m.lane_predicate,
  m.lane_object, m.subject, m.predicate, m.object, m.own, m.valid_from, m.valid_to, m.precision_from,
  m.precision_to, m.holds_at, m.narrowed_from, m.narrowed_to, m.muted, m.from_tx, m.from_seq, m.to_tx,
  m.to_seq
FROM placements AS m INDEXED BY placements_inferred
WHERE m.scope = $scope AND m.trust = 'inferred'
  AND ($tx IS NULL OR (m.from_tx <= $tx AND $tx < m.to_tx))
