-- Returns the claims of these ids, in no order.
-- Parameters: $scope; $ids, a JSON list.
-- Columns: a claim.
SELECT
  c.id, c.kind, c.subject, c.predicate, c.object, c.text, c.type, c.importance, c.valid_from, c.valid_to,
  c.precision_from, c.precision_to, c.holds_at, c.trust, c.sources, c.replaces, c.origin, c.correction,
  c.actor, c.extractor, c.change, c.logged_tx, c.logged_seq, c.rec_tx, c.rec_seq
FROM json_each($ids) AS want
CROSS JOIN claims AS c INDEXED BY claims_by_id
WHERE c.scope = $scope AND c.id = want.value
