-- Destroys the effects on claims.
-- Parameters: $scope; $claims, a JSON list.
DELETE FROM effects WHERE row IN (
  SELECT m.row FROM json_each($claims) AS want
  CROSS JOIN effects AS m INDEXED BY effects_by_claim
  WHERE m.scope = $scope AND m.claim = want.value
)
