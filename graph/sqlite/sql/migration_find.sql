-- Says whether any schema file was ever applied.
-- Columns: 1 if so, 0 if not.
SELECT COUNT(*) FROM sqlite_schema WHERE name = 'migrations'
