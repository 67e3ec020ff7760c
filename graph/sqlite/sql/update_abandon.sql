-- Gives an update up.
ROLLBACK
