package ledger

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"tenure/belief"
	"tenure/facts"
	"tenure/graph"
	"tenure/temporal"
)

// Session applies operations to one scope's log within one update, one after another, and writes what they made when it is
// committed. Each operation sees those before it. After an error the session must not be committed. Not safe for concurrent use.
type Session struct {
	w      graph.Writer
	now    temporal.Instant
	seq    int
	worlds []facts.World // from the beginning of the log; the last is in force
	laws   belief.Laws   // the declarations and merges that the worlds follow from

	lanes    map[graph.Lane]*lane
	claims   map[graph.ClaimID]graph.Claim
	entities map[graph.EntityID]graph.Entity
	lives    map[graph.ClaimID][]graph.Placement // of the claims touched: all placements they ever had
	effects  map[graph.ClaimID][]graph.Effect    // of the claims touched: all effects on them
	changes  map[graph.ChangeID]graph.Change
	reverts  map[graph.ChangeID][]graph.Change // of the changes loaded: those that revert them
	settings graph.Settings
	delta    graph.Delta
	written  map[graph.PlacementID]int // where in the delta a placement is
}

// lane is what is known of one lane while the session lasts.
type lane struct {
	key      graph.Lane
	rows     []graph.Placement // all that ever counted here
	moved    []graph.Placement // those that came or went since the windows were computed
	windows  []facts.Window    // what they give now
	versions []graph.Version   // the windows with content, in the same order
	stored   []graph.Version   // what was believed before the session
	last     graph.ChangeID    // the change that last altered a window
}

// Op says by whom and why an operation is done. Change is the id of the change it makes, if it makes one.
type Op struct {
	Change  graph.ChangeID
	Actor   string
	Reason  string
	Episode graph.EpisodeID
}

// Result is what an operation did.
type Result struct {
	Outcome Outcome
	Claim   graph.ClaimID
	// Fact is the window that the claim supports, or the one that outranks it; for other operations the window operated on,
	// as it is afterwards. Nil if there is none.
	Fact   *graph.Version
	Ended  []graph.Version // windows closed or gone
	Change graph.ChangeID  // "" if nothing altered
}

// Begin opens a session on the scope of the writer.
func Begin(ctx context.Context, w graph.Writer) (*Session, error) {
	laws, err := belief.ReadLaws(ctx, w)
	if err != nil {
		return nil, err
	}
	settings, err := w.Settings(ctx)
	if err != nil {
		return nil, err
	}
	return &Session{
		w: w, now: w.Now(), laws: laws, worlds: laws.Worlds(), settings: settings,
		lanes:    map[graph.Lane]*lane{},
		claims:   map[graph.ClaimID]graph.Claim{},
		entities: map[graph.EntityID]graph.Entity{},
		lives:    map[graph.ClaimID][]graph.Placement{},
		effects:  map[graph.ClaimID][]graph.Effect{},
		written:  map[graph.PlacementID]int{},
		changes:  laws.Changes,
		reverts:  laws.Reverts,
	}, nil
}

// World is the world in force: predicates declared and entities merged.
func (s *Session) World() facts.World { return s.worlds[len(s.worlds)-1] }

// Now is the session's transaction time.
func (s *Session) Now() temporal.Instant { return s.now }

// AddEntities makes entities known to the session and has them written with it.
func (s *Session) AddEntities(entities ...graph.Entity) {
	for _, e := range entities {
		s.entities[e.ID] = e
	}
	s.delta.Entities = append(s.delta.Entities, entities...)
}

// Know makes entities known that the store holds already, so that they are not read again.
func (s *Session) Know(entities ...graph.Entity) {
	for _, e := range entities {
		s.entities[e.ID] = e
	}
}

// Commit writes what the operations made: one net difference of versions for each lane.
func (s *Session) Commit(ctx context.Context) error {
	for _, key := range slices.SortedFunc(maps.Keys(s.lanes), graph.Lane.Compare) {
		s.settle(s.lanes[key])
	}
	if s.settings.Registry == "" { // the scope begins: its shipped predicates are pinned
		s.settings.Registry = facts.ShippedVersion()
		s.delta.Settings = &s.settings
	}
	return s.w.Write(ctx, s.delta)
}

// settle ends the versions of a lane that no longer hold and begins those that now do.
func (s *Session) settle(l *lane) {
	begins := make(map[temporal.Instant]graph.Version, len(l.versions))
	for _, v := range l.versions {
		begins[v.Valid.From] = v
	}
	goesOn := make(map[temporal.Instant]graph.Version, len(l.stored))
	for _, old := range l.stored {
		if v, ok := begins[old.Valid.From]; ok && facts.SameWindow(v, old) {
			delete(begins, old.Valid.From)
			goesOn[old.Valid.From] = old
			continue
		}
		old.Tx.To, old.Ended = s.now, l.last
		s.delta.Versions = append(s.delta.Versions, old)
	}
	for i, v := range l.versions {
		if _, ok := begins[v.Valid.From]; !ok {
			l.versions[i] = goesOn[v.Valid.From]
			continue
		}
		v.Tx, v.Begun, v.Ended = temporal.Period{From: s.now}, l.last, ""
		v.ID = VersionID(s.scope(), v)
		l.versions[i] = v
		s.delta.Versions = append(s.delta.Versions, v)
	}
}

// Settled returns a window that an operation answered with as it was committed: with its id and transaction time. One that
// the same session ended again has no version of its own.
func (s *Session) Settled(v graph.Version) graph.Version {
	l := s.lanes[v.Lane]
	for _, held := range l.versions {
		if held.Fact == v.Fact && held.Valid == v.Valid {
			return held
		}
	}
	for _, held := range s.delta.Versions {
		if held.Fact == v.Fact && held.Valid == v.Valid && held.Lane == v.Lane {
			return held
		}
	}
	v.Tx = temporal.Period{From: s.now, To: s.now}
	return v
}

// Holding returns the windows of a subject's predicate that hold at a valid time.
func (s *Session) Holding(ctx context.Context, subject graph.EntityID, predicate string, at temporal.Instant) ([]graph.Version, error) {
	w := s.World()
	key := w.Registry().Lane(w.Resolve(subject), predicate, "")
	if w.Registry().Get(predicate).Cardinality != graph.One {
		return s.w.Versions(ctx, graph.VersionFilter{Subjects: []graph.EntityID{key.Subject}, Predicates: []string{predicate}, Valid: at})
	}
	l, err := s.lane(ctx, key)
	if err != nil {
		return nil, err
	}
	var out []graph.Version
	for _, v := range l.versions {
		if v.Valid.Contains(at) {
			out = append(out, v)
		}
	}
	return out, nil
}

// Settings are the scope's settings.
func (s *Session) Settings() graph.Settings { return s.settings }

// VersionID is the id of a version: the same window that begins to be believed at the same time has the same id.
func VersionID(scope graph.Scope, v graph.Version) graph.VersionID {
	return graph.DeriveID[graph.Version](scope, "version", string(v.Fact), string(v.Lane.Subject), v.Lane.Predicate, string(v.Lane.Object),
		stamp(v.Valid.From), stamp(v.Tx.From))
}

func stamp(i temporal.Instant) string { return strconv.FormatInt(int64(i), 36) }

func (s *Session) scope() graph.Scope { return s.w.View().Scope }

// next begins the next operation and returns its place in the log.
func (s *Session) next() graph.Pos {
	s.seq++
	return graph.Pos{Tx: s.now, Seq: s.seq}
}

// Load reads lanes ahead of the operations that will touch them, in one go.
func (s *Session) Load(ctx context.Context, keys []graph.Lane) error {
	var missing []graph.Lane
	for _, key := range keys {
		if _, ok := s.lanes[key]; !ok {
			s.lanes[key] = &lane{key: key}
			missing = append(missing, key)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	rows, err := s.w.ListPlacements(ctx, graph.PlacementFilter{Lanes: missing})
	if err != nil {
		return err
	}
	for _, row := range rows {
		l := s.lanes[row.Lane]
		l.rows = append(l.rows, row)
	}
	versions, err := s.w.Versions(ctx, graph.VersionFilter{Lanes: missing, Hidden: graph.WithHidden})
	if err != nil {
		return err
	}
	for _, v := range versions {
		l := s.lanes[v.Lane]
		l.stored = append(l.stored, v)
	}
	for _, key := range missing {
		l := s.lanes[key]
		l.versions = slices.Clone(l.stored)
		l.windows = facts.Believe(counting(l.rows))
		if len(l.windows) != len(l.stored) {
			return fmt.Errorf("lane of %s: %d versions are stored and %d follow from the log", key.Predicate, len(l.stored), len(l.windows))
		}
	}
	return nil
}

// lane returns one lane, loaded.
func (s *Session) lane(ctx context.Context, key graph.Lane) (*lane, error) {
	if err := s.Load(ctx, []graph.Lane{key}); err != nil {
		return nil, err
	}
	return s.lanes[key], nil
}

// counting selects the placements that count now.
func counting(rows []graph.Placement) []graph.Placement {
	var out []graph.Placement
	for i := range rows {
		if rows[i].To.IsZero() {
			out = append(out, rows[i])
		}
	}
	return out
}

// loadClaims makes claims known.
func (s *Session) loadClaims(ctx context.Context, ids []graph.ClaimID) error {
	ids = missing(ids, s.claims)
	if len(ids) == 0 {
		return nil
	}
	found, err := s.w.Claims(ctx, ids)
	if err != nil {
		return err
	}
	for id, c := range found {
		s.claims[id] = c
	}
	return nil
}

// loadEntities makes entities known.
func (s *Session) loadEntities(ctx context.Context, ids []graph.EntityID) error {
	ids = missing(ids, s.entities)
	if len(ids) == 0 {
		return nil
	}
	found, err := s.w.Entities(ctx, ids)
	if err != nil {
		return err
	}
	for id, e := range found {
		s.entities[id] = e
	}
	return nil
}

// loadLives makes the claims with all that decides where they count known.
func (s *Session) loadLives(ctx context.Context, ids []graph.ClaimID) error {
	if err := s.loadClaims(ctx, ids); err != nil {
		return err
	}
	fresh := missing(ids, s.lives)
	if len(fresh) == 0 {
		return nil
	}
	rows, err := s.w.ListPlacements(ctx, graph.PlacementFilter{Claims: fresh})
	if err != nil {
		return err
	}
	effects, err := s.w.ListEffects(ctx, graph.EffectFilter{Claims: fresh})
	if err != nil {
		return err
	}
	for _, id := range fresh {
		s.lives[id] = nil
	}
	for _, row := range rows {
		s.lives[row.Claim] = append(s.lives[row.Claim], row)
	}
	for _, e := range effects {
		s.effects[e.Claim] = append(s.effects[e.Claim], e)
	}
	return nil
}

// loadChanges makes changes known, with all that revert them.
func (s *Session) loadChanges(ctx context.Context, ids []graph.ChangeID) error {
	ids = missing(ids, s.changes)
	if len(ids) == 0 {
		return nil
	}
	found, err := s.w.Changes(ctx, ids)
	if err != nil {
		return err
	}
	for id, c := range found {
		s.changes[id] = c
	}
	reverts, err := s.w.ListChanges(ctx, graph.ChangeFilter{Reverts: ids})
	if err != nil {
		return err
	}
	var more []graph.ChangeID
	for _, r := range reverts {
		s.reverts[r.Reverts] = append(s.reverts[r.Reverts], r)
		more = append(more, r.ID)
	}
	return s.loadChanges(ctx, more)
}

// missing returns the ids, each once, that the map does not hold.
func missing[K comparable, V any](ids []K, held map[K]V) []K {
	var out []K
	seen := make(map[K]bool, len(ids))
	for _, id := range ids {
		if _, ok := held[id]; !ok && !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}
