-- Lists what a word index has of the versions written after $stamp, with the names of their entities.
-- Parameters: $scope; $stamp.
-- Columns: row, fact, type, hidden, valid_from, valid_to, tx_from, tx_to, text, the subject's name, the object's name.
-- It reads all of the transaction axis: the index holds both ends.
SELECT
  m.row, m.fact, m.type, m.hidden, m.valid_from, m.valid_to, m.tx_from, m.tx_to, m.text, COALESCE(s.name, ''), COALESCE(o.name, '')
FROM versions AS m INDEXED BY versions_by_stamp
LEFT JOIN entities AS s ON s.scope = m.scope AND s.id = m.subject
LEFT JOIN entities AS o ON o.scope = m.scope AND o.id = m.object
WHERE m.scope = $scope AND m.stamp > $stamp
