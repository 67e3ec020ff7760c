-- Copies the write-ahead log into the database file and empties it.
-- Columns: 1 if somebody was in the way, the frames there were, the frames copied.
PRAGMA wal_checkpoint(TRUNCATE)
