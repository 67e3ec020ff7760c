package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tenure/belief"
	"tenure/entities"
	"tenure/graph"
	"tenure/graph/sqlite"
	"tenure/ledger"
	"tenure/temporal"
)

// book plays operations against a store and reads back what is believed, in words short enough for a table.
type book struct {
	t     *testing.T
	store graph.Store
	scope graph.Scope
	n     int
}

func newBook(t *testing.T) *book {
	t.Helper()
	clock := temporal.NewFixed(day(2000))
	store, err := sqlite.Open(t.Context(), sqlite.Config{Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return &book{t: t, store: store, scope: graph.Scope{Tenant: "t", Name: "s"}}
}

// day is the n-th day of the year 2000, or later; 0 is absent.
func day(n int) temporal.Instant {
	if n == 0 {
		return 0
	}
	return temporal.At(time.Date(2000, 1, n, 0, 0, 0, 0, time.UTC))
}

// number is the n of a day; "" for an absent one.
func number(t temporal.Instant) string {
	if t == 0 {
		return ""
	}
	return fmt.Sprint(int(t.Sub(day(1)).Hours())/24 + 1)
}

func (b *book) do(f func(ctx context.Context, w graph.Writer, s *ledger.Session) error) error {
	b.t.Helper()
	return b.store.Update(b.t.Context(), b.scope, func(w graph.Writer) error {
		s, err := ledger.Begin(b.t.Context(), w)
		if err != nil {
			return err
		}
		if err := f(b.t.Context(), w, s); err != nil {
			return err
		}
		return s.Commit(b.t.Context())
	})
}

func (b *book) op() ledger.Op {
	b.n++
	return ledger.Op{Change: graph.ChangeID(fmt.Sprint("change-", b.n))}
}

// entity is the entity of that name, begun if need be.
func (b *book) entity(s *ledger.Session, name string) graph.EntityID {
	e := entities.New(b.scope, graph.Named{Name: name})
	s.AddEntities(e)
	return e.ID
}

// tell logs a claim "subject predicate object" over days.
func (b *book) tell(id, triple string, from, to int, more ...func(*graph.Claim)) ledger.Result {
	b.t.Helper()
	var r ledger.Result
	op := b.op()
	err := b.do(func(ctx context.Context, _ graph.Writer, s *ledger.Session) error {
		part := strings.Fields(triple)
		c := graph.Claim{ID: graph.ClaimID(id), Kind: graph.Assert, Trust: graph.Stated, Valid: temporal.Period{From: day(from), To: day(to)},
			Subject: b.entity(s, part[0]), Predicate: part[1]}
		if len(part) > 2 {
			c.Object = b.entity(s, part[2])
		}
		for _, f := range more {
			f(&c)
		}
		var err error
		r, err = s.Assert(ctx, op, c)
		return err
	})
	if err != nil {
		b.t.Fatalf("tell %s: %v", id, err)
	}
	return r
}

// windows are all windows of the scope as "fact object [from,to)", in order.
func (b *book) windows() []string {
	b.t.Helper()
	r, err := b.store.Snapshot(b.t.Context(), graph.View{Scope: b.scope})
	if err != nil {
		b.t.Fatal(err)
	}
	versions, err := r.Versions(b.t.Context(), graph.VersionFilter{})
	if err != nil {
		b.t.Fatal(err)
	}
	facts, err := belief.Dress(b.t.Context(), r, versions, temporal.AsOf{Any: true, Tx: r.View().Tx})
	if err != nil {
		b.t.Fatal(err)
	}
	var out []string
	for _, f := range facts {
		out = append(out, fmt.Sprintf("%s %s [%s,%s)", f.Version.Fact, f.ObjectNode.Name, number(f.Valid.From), number(f.Valid.To)))
	}
	slices.Sort(out)
	return out
}

func (b *book) expect(want ...string) {
	b.t.Helper()
	slices.Sort(want)
	if got := b.windows(); !slices.Equal(got, want) {
		b.t.Errorf("got %q, want %q", got, want)
	}
}

func (b *book) revert(change graph.ChangeID) graph.ChangeID {
	b.t.Helper()
	var r ledger.Result
	op := b.op()
	if err := b.do(func(ctx context.Context, _ graph.Writer, s *ledger.Session) (err error) {
		r, err = s.Revert(ctx, op, change)
		return err
	}); err != nil {
		b.t.Fatal(err)
	}
	return r.Change
}

func TestSupersedeAndRevert(t *testing.T) {
	b := newBook(t)
	b.tell("basic", "globex on_plan Basic", 2, 0)
	r := b.tell("pro", "globex on_plan Pro", 6, 0)
	if r.Outcome != ledger.Superseded || len(r.Ended) != 1 {
		t.Errorf("got %+v, want one window superseded", r)
	}
	b.expect("basic Basic [2,6)", "pro Pro [6,)")
	undo := b.revert(r.Change)
	b.expect("basic Basic [2,)")
	b.revert(undo)
	b.expect("basic Basic [2,6)", "pro Pro [6,)")
}

func TestReplacesEndsWithItsClaim(t *testing.T) {
	b := newBook(t)
	b.tell("old", "ann noted tea", 1, 0)
	b.tell("new", "ann likes coffee", 5, 0, func(c *graph.Claim) { c.Replaces = []graph.ClaimID{"old"} })
	b.expect("new coffee [5,)", "old tea [1,5)")
	text := "Ann likes coffee a lot."
	if err := b.correct("new", ledger.Correction{ID: "new2", Text: &text}); err != nil {
		t.Fatal(err)
	}
	b.expect("new coffee [5,)", "old tea [1,5)")
	b.tell("never", "ann likes coffee", 0, 0, func(c *graph.Claim) { c.Kind = graph.Never })
	b.expect("old tea [1,)")
}

func (b *book) correct(fact graph.ClaimID, in ledger.Correction) error {
	op := b.op()
	return b.do(func(ctx context.Context, _ graph.Writer, s *ledger.Session) error {
		_, err := s.Correct(ctx, op, fact, in)
		return err
	})
}

func TestCorrect(t *testing.T) {
	b := newBook(t)
	b.tell("basic", "globex on_plan Basic", 2, 0)
	b.tell("pro", "globex on_plan Pro", 6, 0)
	if err := b.correct("basic", ledger.Correction{ID: "c1", To: &temporal.Date{At: day(4)}}); err != nil {
		t.Fatal(err)
	}
	b.expect("basic Basic [2,4)", "pro Pro [6,)")
	if err := b.correct("basic", ledger.Correction{ID: "c2", To: &temporal.Date{At: day(8)}}); !errors.Is(err, graph.ErrConflict) || !strings.Contains(err.Error(), "pro") {
		t.Errorf("got %v, want a conflict that names pro", err)
	}
	b.expect("basic Basic [2,4)", "pro Pro [6,)")
}

func TestRetractFact(t *testing.T) {
	b := newBook(t)
	b.tell("jan", "globex on_plan Pro", 1, 0, func(c *graph.Claim) { c.HoldsAt = day(6) })
	op := b.op()
	if err := b.do(func(ctx context.Context, _ graph.Writer, s *ledger.Session) error {
		_, err := s.Retract(ctx, op, "jan", ledger.End{ID: "end", At: day(4)})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	b.expect("jan Pro [1,4)")
}

func TestEraseReopens(t *testing.T) {
	b := newBook(t)
	b.tell("pro", "globex on_plan Pro", 1, 0)
	b.tell("team", "globex on_plan Team", 5, 0)
	op := b.op()
	if err := b.do(func(ctx context.Context, _ graph.Writer, s *ledger.Session) error {
		_, err := s.EraseFact(ctx, op, "team")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	b.expect("pro Pro [1,)")
}

func TestMergeAndUndo(t *testing.T) {
	b := newBook(t)
	b.tell("a", "ann on_plan Pro", 1, 0)
	b.tell("b", "anna on_plan Team", 5, 0)
	op := b.op()
	if err := b.do(func(ctx context.Context, _ graph.Writer, s *ledger.Session) error {
		_, err := s.Merge(ctx, op, entities.New(b.scope, graph.Named{Name: "anna"}).ID, entities.New(b.scope, graph.Named{Name: "ann"}).ID)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	b.expect("a Pro [1,5)", "b Team [5,)")
	b.tell("c", "anna on_plan Basic", 7, 0)
	b.expect("a Pro [1,5)", "b Team [5,7)", "c Basic [7,)")
	b.revert(op.Change)
	b.expect("a Pro [1,)", "b Team [5,7)", "c Basic [7,)")
}
