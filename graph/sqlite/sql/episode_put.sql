-- Adds or replaces an episode. The stamp moves only when what is searched does.
-- Parameters: $scope; the columns of an episode; $stamp, the update's time.
INSERT INTO episodes (
  scope, id, kind, conversation, speaker, role, text, occurred, precision, east, metadata, extract, hash,
  recorded_tx, recorded_seq, status, attempts, error, outcome, stamp
) VALUES (
  $scope, $id, $kind, $conversation, $speaker, $role, $text, $occurred, $precision, $east, $metadata,
  $extract, $hash, $recorded_tx, $recorded_seq, $status, $attempts, $error, $outcome, $stamp
)
ON CONFLICT (scope, id) DO UPDATE SET
  kind = excluded.kind,
  conversation = excluded.conversation,
  speaker = excluded.speaker,
  role = excluded.role,
  text = excluded.text,
  occurred = excluded.occurred,
  precision = excluded.precision,
  east = excluded.east,
  metadata = excluded.metadata,
  extract = excluded.extract,
  hash = excluded.hash,
  recorded_tx = excluded.recorded_tx,
  recorded_seq = excluded.recorded_seq,
  status = excluded.status,
  attempts = excluded.attempts,
  error = excluded.error,
  outcome = excluded.outcome,
  stamp = iif(
    (episodes.text, episodes.speaker, episodes.occurred) = (excluded.text, excluded.speaker, excluded.occurred), episodes.stamp, excluded.stamp)
