-- Commits an update.
COMMIT
