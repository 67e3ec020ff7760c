package ingest

import (
	"context"
	"encoding/json"
	"regexp"
	"time"

	"tenure/belief"
	"tenure/facts"
	"tenure/graph"
	"tenure/ledger"
)

// scopeName is what a scope may be called.
var scopeName = regexp.MustCompile(`^[A-Za-z0-9._:@-]{1,128}$`)

// PutScope sets the settings that are present and returns them all. The scope begins if it has not.
func (s *Service) PutScope(ctx context.Context, scope graph.Scope, in SettingsInput, who Caller) (graph.Settings, error) {
	if err := in.validate(scope); err != nil {
		return graph.Settings{}, err
	}
	var settings graph.Settings
	err := s.store.Update(ctx, scope, func(w graph.Writer) error {
		held, err := w.Settings(ctx)
		if err != nil {
			return err
		}
		settings = in.apply(held)
		if settings.Registry == "" {
			settings.Registry = facts.ShippedVersion()
		}
		return w.Write(ctx, graph.Delta{Settings: &settings})
	})
	return settings, err
}

// apply returns the settings with what the input says.
func (in SettingsInput) apply(held graph.Settings) graph.Settings {
	set(&held.Self, in.Self)
	set(&held.Includes, in.Includes)
	set(&held.TimeZone, in.TimeZone)
	set(&held.Retention, in.Retention)
	if in.Weights.Present {
		held.Weights = nil
		if !in.Weights.Null {
			held.Weights = &in.Weights.Value
		}
	}
	return held
}

// set puts a present field in place; null is the zero value.
func set[T any](to *T, p Patch[T]) {
	if p.Present {
		*to = p.Value
	}
}

func (in SettingsInput) validate(scope graph.Scope) error {
	var c checks
	if in.Self.Present && !in.Self.Null {
		c.named("self", in.Self.Value)
	}
	for i, name := range in.Includes.Value {
		field := index("includes", i)
		switch {
		case !scopeName.MatchString(name):
			c.add(field, "want 1 to 128 of letters, digits and . _ : @ -")
		case name == scope.Name:
			c.add(field, "a scope cannot include itself")
		}
	}
	if len(in.Includes.Value) > 64 {
		c.add("includes", "want at most 64")
	}
	if in.TimeZone.Value != "" {
		if _, err := time.LoadLocation(in.TimeZone.Value); err != nil || in.TimeZone.Value == "Local" {
			c.add("time_zone", `want a name of the IANA data base, such as "Europe/Berlin"`)
		}
	}
	if w := in.Weights.Value; in.Weights.Present {
		for field, x := range map[string]float64{"similarity": w.Similarity, "recency": w.Recency, "importance": w.Importance} {
			if !(x >= 0 && x <= 1) {
				c.add("weights."+field, "want a number from 0 to 1")
			}
		}
		if !in.Weights.Null && !(w.HalfLifeDays > 0 && w.HalfLifeDays <= 36500) {
			c.add("weights.half_life_days", "want a number of days, more than 0 and at most 36500")
		}
	}
	if len(in.Retention.Value) > 0 && !json.Valid(in.Retention.Value) {
		c.add("retention", "want a JSON object")
	}
	return c.err()
}

// EraseScope destroys a scope with all that is in it.
func (s *Service) EraseScope(ctx context.Context, scope graph.Scope) (Erased, error) {
	counts, err := s.store.Erase(ctx, scope)
	return Erased{Counts: counts, At: s.clock.Now()}, err
}

// Declare has a predicate behave as declared in the scope and returns it with the change, if it made one.
func (s *Service) Declare(ctx context.Context, scope graph.Scope, p graph.Predicate, who Caller) (graph.Predicate, []belief.Difference, error) {
	if err := facts.Validate(p); err != nil {
		return graph.Predicate{}, nil, err
	}
	op := ledger.Op{Change: graph.NewID[graph.Change](), Actor: who.Actor}
	var differences []belief.Difference
	var declared graph.Predicate
	err := s.update(ctx, scope, who, func(w graph.Writer, session *ledger.Session) error {
		r, err := session.Declare(ctx, op, p)
		if err != nil {
			return err
		}
		if err := session.Commit(ctx); err != nil {
			return err
		}
		declared, differences = session.World().Registry().Get(p.Name), nil
		if r.Change == "" {
			return nil
		}
		made, err := w.Changes(ctx, []graph.ChangeID{r.Change})
		if err != nil {
			return err
		}
		differences, err = belief.Differences(ctx, w, []graph.Change{made[r.Change]})
		return err
	})
	return declared, differences, err
}

// predicates are those that the scope's extraction may use.
func (s *Service) predicates(ctx context.Context, r graph.Reader) ([]graph.Predicate, error) {
	world, err := belief.World(ctx, r)
	if err != nil {
		return nil, err
	}
	return world.Registry().All(), nil
}
