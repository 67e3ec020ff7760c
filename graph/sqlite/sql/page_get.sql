-- Returns a page of the file.
-- Parameters: $page, its number.
-- Columns: content.
SELECT data FROM sqlite_dbpage('main') WHERE pgno = $page
