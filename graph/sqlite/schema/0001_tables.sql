-- The tables of the store. A scope's rows carry its key, an integer that is never used again after the scope was erased.
-- Times are microseconds since 1970. An unknown begin and an absent time are the smallest integer, an open end is the greatest.
-- Lists and structures are JSON text. "stamp" is the time of the update that last wrote what a word index has of the row.

CREATE TABLE IF NOT EXISTS clock (
  one  INTEGER PRIMARY KEY CHECK (one = 1),
  last INTEGER NOT NULL -- the time of the last committed update of the store
) STRICT;

CREATE TABLE IF NOT EXISTS scopes (
  key       INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant    TEXT NOT NULL,
  name      TEXT NOT NULL,
  gone      INTEGER NOT NULL DEFAULT 0, -- 1 while its rows are being deleted
  clock     INTEGER NOT NULL,           -- the time of its last committed update
  destroyed INTEGER NOT NULL,           -- the time of its last update that destroyed rows
  settings  TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS entities (
  row     INTEGER PRIMARY KEY,
  scope   INTEGER NOT NULL REFERENCES scopes (key),
  id      TEXT NOT NULL,
  name    TEXT NOT NULL,
  kind    TEXT NOT NULL,
  aliases TEXT NOT NULL,
  keys    TEXT NOT NULL,
  stamp   INTEGER NOT NULL
) STRICT;

-- The keys by which entities are found.
CREATE TABLE IF NOT EXISTS names (
  scope  INTEGER NOT NULL,
  key    TEXT NOT NULL,
  entity TEXT NOT NULL,
  PRIMARY KEY (scope, key, entity)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS episodes (
  row             INTEGER PRIMARY KEY,
  scope           INTEGER NOT NULL REFERENCES scopes (key),
  id              TEXT NOT NULL,
  kind            TEXT NOT NULL,
  conversation    TEXT NOT NULL,
  speaker         TEXT NOT NULL,
  role            TEXT NOT NULL,
  text            TEXT NOT NULL,
  occurred        INTEGER NOT NULL,
  precision       TEXT NOT NULL,
  east            INTEGER, -- seconds east of UTC, or NULL for the scope's zone
  metadata        TEXT NOT NULL,
  extract         INTEGER NOT NULL,
  hash            TEXT NOT NULL,
  recorded_tx     INTEGER NOT NULL,
  recorded_seq    INTEGER NOT NULL,
  status          TEXT NOT NULL,
  attempts        INTEGER NOT NULL,
  error           TEXT NOT NULL,
  outcome         TEXT NOT NULL,
  stamp           INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS claims (
  row            INTEGER PRIMARY KEY,
  scope          INTEGER NOT NULL REFERENCES scopes (key),
  id             TEXT NOT NULL,
  kind           TEXT NOT NULL,
  subject        TEXT NOT NULL,
  predicate      TEXT NOT NULL,
  object         TEXT NOT NULL,
  text           TEXT NOT NULL,
  type           TEXT NOT NULL,
  importance     REAL,
  valid_from     INTEGER NOT NULL,
  valid_to       INTEGER NOT NULL,
  precision_from TEXT NOT NULL,
  precision_to   TEXT NOT NULL,
  holds_at       INTEGER NOT NULL,
  trust          TEXT NOT NULL,
  sources        TEXT NOT NULL, -- [[episode, quote], …]
  replaces       TEXT NOT NULL,
  origin         TEXT NOT NULL,
  correction     INTEGER NOT NULL,
  actor          TEXT NOT NULL,
  extractor      TEXT NOT NULL,
  change         TEXT NOT NULL,
  logged_tx      INTEGER NOT NULL,
  logged_seq     INTEGER NOT NULL,
  rec_tx         INTEGER NOT NULL,
  rec_seq        INTEGER NOT NULL
) STRICT;

-- The claims of an episode, in the order of claims.
CREATE TABLE IF NOT EXISTS claim_episodes (
  scope      INTEGER NOT NULL,
  episode    TEXT NOT NULL,
  logged_tx  INTEGER NOT NULL,
  logged_seq INTEGER NOT NULL,
  claim      TEXT NOT NULL,
  PRIMARY KEY (scope, episode, logged_tx, logged_seq, claim)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS effects (
  row         INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of writing
  scope       INTEGER NOT NULL REFERENCES scopes (key),
  change      TEXT NOT NULL,
  claim       TEXT NOT NULL,
  kind        TEXT NOT NULL,
  cause       TEXT NOT NULL,
  within_from INTEGER NOT NULL,
  within_to   INTEGER NOT NULL,
  keep        TEXT NOT NULL, -- [[from, to], …]
  subject     TEXT NOT NULL,
  predicate   TEXT NOT NULL,
  object      TEXT NOT NULL,
  at_tx       INTEGER NOT NULL,
  at_seq      INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS merges (
  row         INTEGER PRIMARY KEY,
  scope       INTEGER NOT NULL REFERENCES scopes (key),
  change      TEXT NOT NULL,
  from_entity TEXT NOT NULL,
  into_entity TEXT NOT NULL,
  at_tx       INTEGER NOT NULL,
  at_seq      INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS declarations (
  row       INTEGER PRIMARY KEY,
  scope     INTEGER NOT NULL REFERENCES scopes (key),
  change    TEXT NOT NULL,
  name      TEXT NOT NULL,
  predicate TEXT NOT NULL,
  at_tx     INTEGER NOT NULL,
  at_seq    INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS placements (
  row            INTEGER PRIMARY KEY,
  scope          INTEGER NOT NULL REFERENCES scopes (key),
  id             TEXT NOT NULL,
  claim          TEXT NOT NULL,
  fact           TEXT NOT NULL,
  rec_tx         INTEGER NOT NULL,
  rec_seq        INTEGER NOT NULL,
  kind           TEXT NOT NULL,
  trust          TEXT NOT NULL,
  lane_subject   TEXT NOT NULL,
  lane_predicate TEXT NOT NULL,
  lane_object    TEXT NOT NULL,
  subject        TEXT NOT NULL,
  predicate      TEXT NOT NULL,
  object         TEXT NOT NULL,
  own            INTEGER NOT NULL,
  valid_from     INTEGER NOT NULL,
  valid_to       INTEGER NOT NULL,
  precision_from TEXT NOT NULL,
  precision_to   TEXT NOT NULL,
  holds_at       INTEGER NOT NULL,
  narrowed_from  INTEGER NOT NULL,
  narrowed_to    INTEGER NOT NULL,
  muted          INTEGER NOT NULL,
  from_tx        INTEGER NOT NULL,
  from_seq       INTEGER NOT NULL,
  to_tx          INTEGER NOT NULL,
  to_seq         INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS versions (
  row            INTEGER PRIMARY KEY,
  scope          INTEGER NOT NULL REFERENCES scopes (key),
  id             TEXT NOT NULL,
  fact           TEXT NOT NULL,
  lane_subject   TEXT NOT NULL,
  lane_predicate TEXT NOT NULL,
  lane_object    TEXT NOT NULL,
  subject        TEXT NOT NULL,
  predicate      TEXT NOT NULL,
  object         TEXT NOT NULL,
  valid_from     INTEGER NOT NULL,
  valid_to       INTEGER NOT NULL,
  precision_from TEXT NOT NULL,
  precision_to   TEXT NOT NULL,
  text           TEXT NOT NULL,
  type           TEXT NOT NULL,
  importance     REAL NOT NULL,
  trust          TEXT NOT NULL,
  hidden         INTEGER NOT NULL,
  tx_from        INTEGER NOT NULL,
  tx_to          INTEGER NOT NULL,
  begun          TEXT NOT NULL,
  ended          TEXT NOT NULL,
  stamp          INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS changes (
  row      INTEGER PRIMARY KEY,
  scope    INTEGER NOT NULL REFERENCES scopes (key),
  id       TEXT NOT NULL,
  at_tx    INTEGER NOT NULL,
  at_seq   INTEGER NOT NULL,
  kind     TEXT NOT NULL,
  claim    TEXT NOT NULL,
  episode  TEXT NOT NULL,
  actor    TEXT NOT NULL,
  reason   TEXT NOT NULL,
  reverts  TEXT NOT NULL,
  standing INTEGER NOT NULL,
  lanes    TEXT NOT NULL, -- [[subject, predicate, object], …]
  counts   TEXT NOT NULL
) STRICT;

-- The changes of a lane, in the order of changes.
CREATE TABLE IF NOT EXISTS change_lanes (
  scope     INTEGER NOT NULL,
  subject   TEXT NOT NULL,
  predicate TEXT NOT NULL,
  object    TEXT NOT NULL,
  at_tx     INTEGER NOT NULL,
  at_seq    INTEGER NOT NULL,
  change    TEXT NOT NULL,
  PRIMARY KEY (scope, subject, predicate, object, at_tx, at_seq, change)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS receipts (
  scope    INTEGER NOT NULL REFERENCES scopes (key),
  key      TEXT NOT NULL,
  hash     TEXT NOT NULL,
  tx       INTEGER NOT NULL,
  results  TEXT NOT NULL,
  episodes TEXT NOT NULL,
  PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS tombstones (
  scope INTEGER NOT NULL REFERENCES scopes (key),
  hash  TEXT NOT NULL,
  PRIMARY KEY (scope, hash)
) STRICT, WITHOUT ROWID;

-- When a fact was last used.
CREATE TABLE IF NOT EXISTS marks (
  scope INTEGER NOT NULL REFERENCES scopes (key),
  fact  TEXT NOT NULL,
  used  INTEGER NOT NULL,
  PRIMARY KEY (scope, fact)
) STRICT, WITHOUT ROWID;
