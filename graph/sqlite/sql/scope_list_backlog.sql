-- Lists the scopes that hold episodes not yet worked off, in no order. The index holds nothing but those episodes.
-- Columns: tenant, name.
SELECT s.tenant, s.name
FROM (SELECT DISTINCT e.scope FROM episodes AS e INDEXED BY episodes_backlog WHERE e.status IN ('pending', 'processing', 'failed')) AS b
CROSS JOIN scopes AS s ON s.key = b.scope
WHERE s.gone = 0
