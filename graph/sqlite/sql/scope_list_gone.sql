-- Lists the scopes whose rows are being deleted.
-- Columns: key.
SELECT key FROM scopes INDEXED BY scopes_gone WHERE gone = 1
