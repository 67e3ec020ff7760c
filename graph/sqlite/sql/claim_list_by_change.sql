-- Lists the claims that changes logged, in no order.
-- Parameters: $scope; the place after which to begin, ($after_tx, $after_seq, $after_id); $changes, a JSON list; $episodes, $entities, $predicates, JSON lists or NULL.
-- Columns: a claim.
SELECT
  m.id, m.kind, m.subject, m.predicate, m.object, m.text, m.type, m.importance, m.valid_from, m.valid_to,
  m.precision_from, m.precision_to, m.holds_at, m.trust, m.sources, m.replaces, m.origin, m.correction,
  m.actor, m.extractor, m.change, m.logged_tx, m.logged_seq, m.rec_tx, m.rec_seq
FROM json_each($changes) AS want
CROSS JOIN claims AS m INDEXED BY claims_by_change
WHERE m.scope = $scope AND m.change = want.value AND m.change <> ''
  AND (m.logged_tx, m.logged_seq, m.id) > ($after_tx, $after_seq, $after_id)
  AND ($episodes IS NULL OR EXISTS (
      SELECT 1 FROM json_each($episodes) AS w CROSS JOIN claim_episodes AS k
      WHERE k.scope = m.scope AND k.episode = w.value AND k.logged_tx = m.logged_tx AND k.logged_seq = m.logged_seq AND k.claim = m.id))
  AND ($entities IS NULL OR (m.subject IN (SELECT value FROM json_each($entities)) OR m.object IN (SELECT value FROM json_each($entities))))
  AND ($predicates IS NULL OR m.predicate IN (SELECT value FROM json_each($predicates)))
