-- One index for each way in which the contract reads. The columns after those that are sought are the order of the listing.

CREATE UNIQUE INDEX IF NOT EXISTS scopes_by_name ON scopes (tenant, name) WHERE gone = 0;
CREATE INDEX IF NOT EXISTS scopes_gone ON scopes (gone) WHERE gone = 1;

CREATE UNIQUE INDEX IF NOT EXISTS entities_by_id ON entities (scope, id);
CREATE INDEX IF NOT EXISTS entities_by_kind ON entities (scope, kind, id);
CREATE INDEX IF NOT EXISTS entities_by_stamp ON entities (scope, stamp);

CREATE UNIQUE INDEX IF NOT EXISTS episodes_by_id ON episodes (scope, id);
CREATE INDEX IF NOT EXISTS episodes_by_recorded ON episodes (scope, recorded_tx, recorded_seq, id, occurred);
CREATE INDEX IF NOT EXISTS episodes_by_conversation ON episodes (scope, conversation, recorded_tx, recorded_seq, id);
CREATE INDEX IF NOT EXISTS episodes_by_status ON episodes (scope, status, recorded_tx, recorded_seq, id);
CREATE INDEX IF NOT EXISTS episodes_by_stamp ON episodes (scope, stamp);
CREATE INDEX IF NOT EXISTS episodes_backlog ON episodes (scope, status) WHERE status IN ('pending', 'processing', 'failed');

CREATE UNIQUE INDEX IF NOT EXISTS claims_by_id ON claims (scope, id);
CREATE INDEX IF NOT EXISTS claims_by_logged ON claims (scope, logged_tx, logged_seq, id);
CREATE INDEX IF NOT EXISTS claims_by_subject ON claims (scope, subject, logged_tx, logged_seq, id);
CREATE INDEX IF NOT EXISTS claims_by_object ON claims (scope, object, logged_tx, logged_seq, id);
CREATE INDEX IF NOT EXISTS claims_by_predicate ON claims (scope, predicate, logged_tx, logged_seq, id);
CREATE INDEX IF NOT EXISTS claims_by_change ON claims (scope, change) WHERE change <> '';
CREATE INDEX IF NOT EXISTS claims_by_origin ON claims (scope, origin) WHERE origin <> '';

CREATE INDEX IF NOT EXISTS effects_by_claim ON effects (scope, claim);
CREATE INDEX IF NOT EXISTS effects_by_cause ON effects (scope, cause) WHERE cause <> '';
CREATE INDEX IF NOT EXISTS effects_by_change ON effects (scope, change);

CREATE UNIQUE INDEX IF NOT EXISTS merges_by_change ON merges (scope, change);
CREATE INDEX IF NOT EXISTS merges_by_from ON merges (scope, from_entity);
CREATE INDEX IF NOT EXISTS merges_by_into ON merges (scope, into_entity);

CREATE UNIQUE INDEX IF NOT EXISTS declarations_by_change ON declarations (scope, change);

CREATE UNIQUE INDEX IF NOT EXISTS placements_by_id ON placements (scope, id);
CREATE INDEX IF NOT EXISTS placements_by_lane ON placements (scope, lane_subject, lane_predicate, lane_object);
CREATE INDEX IF NOT EXISTS placements_by_claim ON placements (scope, claim);
CREATE INDEX IF NOT EXISTS placements_by_subject ON placements (scope, subject);
CREATE INDEX IF NOT EXISTS placements_by_object ON placements (scope, object);
CREATE INDEX IF NOT EXISTS placements_by_predicate ON placements (scope, predicate);
CREATE INDEX IF NOT EXISTS placements_inferred ON placements (scope) WHERE trust = 'inferred';

CREATE UNIQUE INDEX IF NOT EXISTS versions_by_id ON versions (scope, id);
CREATE INDEX IF NOT EXISTS versions_by_valid ON versions (scope, valid_from, valid_to, fact, id, tx_from, tx_to);
CREATE INDEX IF NOT EXISTS versions_by_lane ON versions (scope, lane_subject, lane_predicate, lane_object);
CREATE INDEX IF NOT EXISTS versions_by_subject ON versions (scope, subject, valid_from, valid_to, fact, id);
CREATE INDEX IF NOT EXISTS versions_by_object ON versions (scope, object, valid_from, valid_to, fact, id);
CREATE INDEX IF NOT EXISTS versions_by_predicate ON versions (scope, predicate, valid_from, valid_to, fact, id);
CREATE INDEX IF NOT EXISTS versions_by_type ON versions (scope, type, valid_from, valid_to, fact, id);
CREATE INDEX IF NOT EXISTS versions_by_fact ON versions (scope, fact, tx_to, tx_from, valid_from, id);
CREATE INDEX IF NOT EXISTS versions_closed ON versions (scope, valid_from, valid_to, fact, id) WHERE tx_to < 9223372036854775807;
CREATE INDEX IF NOT EXISTS versions_around_subject ON versions (scope, subject, importance DESC, id);
CREATE INDEX IF NOT EXISTS versions_around_object ON versions (scope, object, importance DESC, id);
CREATE INDEX IF NOT EXISTS versions_by_stamp ON versions (scope, stamp);

CREATE UNIQUE INDEX IF NOT EXISTS changes_by_id ON changes (scope, id);
CREATE INDEX IF NOT EXISTS changes_by_at ON changes (scope, at_tx, at_seq, id);
CREATE INDEX IF NOT EXISTS changes_by_claim ON changes (scope, claim, at_tx, at_seq, id) WHERE claim <> '';
CREATE INDEX IF NOT EXISTS changes_by_episode ON changes (scope, episode, at_tx, at_seq, id) WHERE episode <> '';
CREATE INDEX IF NOT EXISTS changes_by_reverts ON changes (scope, reverts, at_tx, at_seq, id) WHERE reverts <> '';

CREATE INDEX IF NOT EXISTS change_lanes_by_subject ON change_lanes (scope, subject, at_tx, at_seq, change);
CREATE INDEX IF NOT EXISTS change_lanes_by_object ON change_lanes (scope, object, at_tx, at_seq, change) WHERE object <> '';
