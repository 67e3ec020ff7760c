-- Lists the claims of predicates, of each the first ones, in no order.
-- Parameters: $scope; the place after which to begin, ($after_tx, $after_seq, $after_id); $predicates, a JSON list; $limit, -1 for no limit.
-- Columns: a claim.
SELECT
  c.id, c.kind, c.subject, c.predicate, c.object, c.text, c.type, c.importance, c.valid_from, c.valid_to,
  c.precision_from, c.precision_to, c.holds_at, c.trust, c.sources, c.replaces, c.origin, c.correction,
  c.actor, c.extractor, c.change, c.logged_tx, c.logged_seq, c.rec_tx, c.rec_seq
FROM json_each($predicates) AS want
CROSS JOIN claims AS c
WHERE c.row IN (
  SELECT m.row FROM claims AS m INDEXED BY claims_by_predicate
  WHERE m.scope = $scope AND m.predicate = want.value
    AND (m.logged_tx, m.logged_seq, m.id) > ($after_tx, $after_seq, $after_id)
  ORDER BY m.logged_tx, m.logged_seq, m.id LIMIT $limit
)
