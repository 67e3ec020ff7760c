-- Lists the claims of episodes, of each the first ones, in no order.
-- Parameters: $scope; the place after which to begin, ($after_tx, $after_seq, $after_id); $episodes, a JSON list; $entities, $predicates, JSON lists or NULL; $limit, -1 for no limit.
-- Columns: a claim.
SELECT
  c.id, c.kind, c.subject, c.predicate, c.object, c.text, c.type, c.importance, c.valid_from, c.valid_to,
  c.precision_from, c.precision_to, c.holds_at, c.trust, c.sources, c.replaces, c.origin, c.correction,
  c.actor, c.extractor, c.change, c.logged_tx, c.logged_seq, c.rec_tx, c.rec_seq
FROM json_each($episodes) AS want
CROSS JOIN claims AS c
WHERE c.row IN (
  SELECT m.row FROM claim_episodes AS k
  CROSS JOIN claims AS m INDEXED BY claims_by_id ON m.scope = k.scope AND m.id = k.claim
  WHERE k.scope = $scope AND k.episode = want.value
    AND (k.logged_tx, k.logged_seq, k.claim) > ($after_tx, $after_seq, $after_id)
    AND ($entities IS NULL OR (m.subject IN (SELECT value FROM json_each($entities)) OR m.object IN (SELECT value FROM json_each($entities))))
    AND ($predicates IS NULL OR m.predicate IN (SELECT value FROM json_each($predicates)))
  ORDER BY k.logged_tx, k.logged_seq, k.claim LIMIT $limit
)
