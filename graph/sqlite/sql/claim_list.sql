-- Lists claims, in their order.
-- Parameters: $scope; the place after which to begin, ($after_tx, $after_seq, $after_id); $limit, -1 for no limit.
-- Columns: a claim.
SELECT
  m.id, m.kind, m.subject, m.predicate, m.object, m.text, m.type, m.importance, m.valid_from, m.valid_to,
  m.precision_from, m.precision_to, m.holds_at, m.trust, m.sources, m.replaces, m.origin, m.correction,
  m.actor, m.extractor, m.change, m.logged_tx, m.logged_seq, m.rec_tx, m.rec_seq
FROM claims AS m INDEXED BY claims_by_logged
WHERE m.scope = $scope
  AND (m.logged_tx, m.logged_seq, m.id) > ($after_tx, $after_seq, $after_id)
ORDER BY m.logged_tx, m.logged_seq, m.id LIMIT $limit
