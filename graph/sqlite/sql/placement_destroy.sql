-- Destroys every placement of lanes.
-- Parameters: $scope; $lanes, a JSON list of [subject, predicate, object].
DELETE FROM placements WHERE row IN (
  SELECT m.row FROM json_each($lanes) AS want
  CROSS JOIN placements AS m INDEXED BY placements_by_lane
  WHERE m.scope = $scope
    AND m.lane_subject = want.value ->> 0 AND m.lane_predicate = want.value ->> 1 AND m.lane_object = want.value ->> 2
)
