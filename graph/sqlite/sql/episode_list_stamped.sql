-- Lists what a word index has of the episodes written after $stamp.
-- Parameters: $scope; $stamp.
-- Columns: row, occurred, speaker, text.
SELECT m.row, m.occurred, m.speaker, m.text
FROM episodes AS m INDEXED BY episodes_by_stamp
WHERE m.scope = $scope AND m.stamp > $stamp
