-- Lists the schema files that were applied. There is no such table before the first.
-- Columns: name.
SELECT name FROM migrations ORDER BY name
