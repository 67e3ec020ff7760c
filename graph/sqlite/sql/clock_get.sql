-- Returns the time of the last committed update.
-- Columns: last.
SELECT last FROM clock WHERE one = 1
