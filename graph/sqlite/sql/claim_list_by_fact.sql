-- Lists the claims whose id or origin is a fact, in no order.
-- Parameters: $scope; the place after which to begin, ($after_tx, $after_seq, $after_id); $facts, a JSON list; $changes, $episodes, $entities, $predicates, JSON lists or NULL.
-- Columns: a claim.
SELECT
  m.id, m.kind, m.subject, m.predicate, m.object, m.text, m.type, m.importance, m.valid_from, m.valid_to,
  m.precision_from, m.precision_to, m.holds_at, m.trust, m.sources, m.replaces, m.origin, m.correction,
  m.actor, m.extractor, m.change, m.logged_tx, m.logged_seq, m.rec_tx, m.rec_seq
FROM json_each($facts) AS want
CROSS JOIN claims AS m INDEXED BY claims_by_id
WHERE m.scope = $scope AND m.id = want.value
  AND (m.logged_tx, m.logged_seq, m.id) > ($after_tx, $after_seq, $after_id)
  AND ($changes IS NULL OR m.change IN (SELECT value FROM json_each($changes)))
  AND ($episodes IS NULL OR EXISTS (
      SELECT 1 FROM json_each($episodes) AS w CROSS JOIN claim_episodes AS k
      WHERE k.scope = m.scope AND k.episode = w.value AND k.logged_tx = m.logged_tx AND k.logged_seq = m.logged_seq AND k.claim = m.id))
  AND ($entities IS NULL OR (m.subject IN (SELECT value FROM json_each($entities)) OR m.object IN (SELECT value FROM json_each($entities))))
  AND ($predicates IS NULL OR m.predicate IN (SELECT value FROM json_each($predicates)))
UNION ALL
SELECT
  m.id, m.kind, m.subject, m.predicate, m.object, m.text, m.type, m.importance, m.valid_from, m.valid_to,
  m.precision_from, m.precision_to, m.holds_at, m.trust, m.sources, m.replaces, m.origin, m.correction,
  m.actor, m.extractor, m.change, m.logged_tx, m.logged_seq, m.rec_tx, m.rec_seq
FROM json_each($facts) AS want
CROSS JOIN claims AS m INDEXED BY claims_by_origin
WHERE m.scope = $scope AND m.origin = want.value AND m.origin <> ''
  AND (m.logged_tx, m.logged_seq, m.id) > ($after_tx, $after_seq, $after_id)
  AND ($changes IS NULL OR m.change IN (SELECT value FROM json_each($changes)))
  AND ($episodes IS NULL OR EXISTS (
      SELECT 1 FROM json_each($episodes) AS w CROSS JOIN claim_episodes AS k
      WHERE k.scope = m.scope AND k.episode = w.value AND k.logged_tx = m.logged_tx AND k.logged_seq = m.logged_seq AND k.claim = m.id))
  AND ($entities IS NULL OR (m.subject IN (SELECT value FROM json_each($entities)) OR m.object IN (SELECT value FROM json_each($entities))))
  AND ($predicates IS NULL OR m.predicate IN (SELECT value FROM json_each($predicates)))
