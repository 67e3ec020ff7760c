-- Lists the pages of the file, as this transaction sees them.
-- Columns: number, content.
SELECT pgno, data FROM sqlite_dbpage('main')
