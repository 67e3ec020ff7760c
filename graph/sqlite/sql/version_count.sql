-- Counts the facts and versions believed at $tx.
-- Parameters: $scope; $tx.
-- Columns: facts, versions.
SELECT COUNT(*), COALESCE(SUM(n), 0) FROM (
  SELECT COUNT(*) AS n FROM versions AS m INDEXED BY versions_by_fact
  WHERE m.scope = $scope AND m.tx_from <= $tx AND $tx < m.tx_to
  GROUP BY m.fact
)
