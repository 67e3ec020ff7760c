-- Finds a scope that is not gone.
-- Parameters: $tenant; $name.
-- Columns: key, clock.
SELECT key, clock FROM scopes INDEXED BY scopes_by_name
WHERE tenant = $tenant AND name = $name AND gone = 0
