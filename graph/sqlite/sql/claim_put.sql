-- Replaces a claim.
-- Parameters: $scope; the columns of a claim.
UPDATE claims SET
  kind = $kind, subject = $subject, predicate = $predicate, object = $object, text = $text, type = $type,
  importance = $importance, valid_from = $valid_from, valid_to = $valid_to, precision_from = $precision_from,
  precision_to = $precision_to, holds_at = $holds_at, trust = $trust, sources = $sources,
  replaces = $replaces, origin = $origin, correction = $correction, actor = $actor, extractor = $extractor,
  change = $change, logged_tx = $logged_tx, logged_seq = $logged_seq, rec_tx = $rec_tx, rec_seq = $rec_seq
WHERE scope = $scope AND id = $id
