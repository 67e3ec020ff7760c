-- Lists the scopes of a tenant by name.
-- Parameters: $tenant; $after, a name; $limit, -1 for no limit.
-- Columns: name.
SELECT name FROM scopes INDEXED BY scopes_by_name
WHERE tenant = $tenant AND name > $after AND gone = 0
ORDER BY name LIMIT $limit
