-- Replaces a page of the file.
-- Parameters: $page, its number; $content, as long as the page.
UPDATE sqlite_dbpage SET data = $content WHERE pgno = $page
