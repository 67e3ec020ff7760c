package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tenure/graph"
	"tenure/temporal"
)

// canary is a word that must be in no file after it was erased.
const canary = "zanzibarquokka"

// about returns rows that say a word in every text they have, under ids of their own.
func about(word string, n int, now temporal.Instant) graph.Delta {
	d := graph.Delta{}
	for i := range n {
		id := fmt.Sprintf("%s-%d", word, i)
		pos := graph.Pos{Tx: now, Seq: i}
		text := strings.Repeat(word+" said ", 1+i%40)
		lane := graph.Lane{Subject: graph.EntityID(id), Predicate: word, Object: graph.EntityID(id)}
		d.Entities = append(d.Entities, graph.Entity{ID: graph.EntityID(id), Name: text, Kind: word, Aliases: []string{text}, Keys: []string{text, id}})
		d.Episodes = append(d.Episodes, graph.Episode{
			ID: graph.EpisodeID(id), Conversation: id, Speaker: text, Text: text, Metadata: []byte(`{"x":"` + text + `"}`), Error: text,
			Outcome: graph.Outcome{Dropped: []graph.Dropped{{Claim: text}}}, Recorded: pos, Status: graph.Pending,
		})
		d.Claims = append(d.Claims, graph.Claim{
			ID: graph.ClaimID(id), Subject: lane.Subject, Predicate: word, Object: lane.Object, Text: text, Type: word,
			Sources: []graph.Source{{Episode: graph.EpisodeID(id), Quote: text}}, Replaces: []graph.ClaimID{graph.ClaimID(id)},
			Actor: text, Extractor: word, Change: graph.ChangeID(id), Logged: pos,
		})
		d.Effects = append(d.Effects, graph.Effect{Change: graph.ChangeID(id), Claim: graph.ClaimID(id), Cause: graph.ClaimID(id), Predicate: word, Subject: lane.Subject})
		d.Merges = append(d.Merges, graph.Merge{Change: graph.ChangeID(id), From: lane.Subject, Into: lane.Object})
		d.Declarations = append(d.Declarations, graph.Declaration{Change: graph.ChangeID(id), Predicate: graph.Predicate{Name: word, Sentence: text}})
		d.Placements = append(d.Placements, graph.Placement{
			ID: graph.PlacementID(id), Claim: graph.ClaimID(id), Fact: graph.ClaimID(id), Lane: lane, Subject: lane.Subject, Predicate: word, Object: lane.Object,
		})
		d.Versions = append(d.Versions, graph.Version{
			ID: graph.VersionID(id), Fact: graph.ClaimID(id), Lane: lane, Subject: lane.Subject, Predicate: word, Object: lane.Object,
			Text: text, Type: word, Tx: temporal.Period{From: now}, Importance: float64(i) / 100,
		})
		d.Changes = append(d.Changes, graph.Change{
			ID: graph.ChangeID(id), At: pos, Claim: graph.ClaimID(id), Episode: graph.EpisodeID(id), Reason: text, Actor: text, Lanes: []graph.Lane{lane},
		})
	}
	return d
}

// allOf names everything that a delta wrote.
func allOf(d graph.Delta) graph.Destruction {
	var out graph.Destruction
	for i := range d.Claims {
		out.Claims = append(out.Claims, d.Claims[i].ID)
		out.Changes = append(out.Changes, d.Changes[i].ID)
		out.Episodes = append(out.Episodes, d.Episodes[i].ID)
		out.Entities = append(out.Entities, d.Entities[i].ID)
		out.Lanes = append(out.Lanes, d.Placements[i].Lane)
	}
	return out
}

// filesWith returns the files of a directory that contain a word.
func filesWith(t *testing.T, dir, word string) (out []string) {
	t.Helper()
	if err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if n := bytes.Count(text, []byte(word)); n > 0 {
			out = append(out, fmt.Sprintf("%s (%d times, of %d bytes)", filepath.Base(path), n, len(text)))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestNoFileContainsWhatWasErased(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	dir := t.TempDir()
	s := openedAt(t, filepath.Join(dir, "tenure.db"))
	ctx := t.Context()
	var secrets []graph.Delta
	for i := range 30 { // words and others in turn, so that they share pages
		write(t, s, scope, about(fmt.Sprint("plain", i), 1+r.IntN(20), day0))
		secret := about(fmt.Sprint(canary, i), 1+r.IntN(10), day0)
		write(t, s, scope, secret)
		secrets = append(secrets, secret)
		if _, err := snapshot(t, s, graph.View{Scope: scope}).SearchFacts(ctx, graph.Query{Text: canary + "3", Limit: 5}); err != nil {
			t.Fatal(err)
		}
	}
	if filesWith(t, dir, canary) == nil {
		t.Fatal("the canary is in no file before it is erased")
	}
	for len(secrets) > 0 {
		i := r.IntN(len(secrets))
		if err := s.Update(ctx, scope, func(w graph.Writer) error { return w.Destroy(ctx, allOf(secrets[i])) }); err != nil {
			t.Fatal(err)
		}
		if found := filesWith(t, dir, string(secrets[i].Claims[0].ID)); found != nil {
			t.Fatalf("contain %s: %v", secrets[i].Claims[0].ID, found)
		}
		secrets = append(secrets[:i], secrets[i+1:]...)
		write(t, s, scope, about(fmt.Sprint("more", i), 1+r.IntN(5), day0))
	}
	wholeFile(t, s)
	for _, when := range []string{"after the erase", "after a restart"} {
		if found := filesWith(t, dir, canary); found != nil {
			t.Errorf("%s: contain the canary: %v", when, found)
		}
		hits, err := snapshot(t, s, graph.View{Scope: scope}).SearchFacts(ctx, graph.Query{Text: canary + "3"})
		if err != nil || len(hits) > 0 {
			t.Errorf("%s: found %v, %v", when, hits, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = openedAt(t, filepath.Join(dir, "tenure.db"))
	}
}

// wholeFile fails a test whose file is damaged.
func wholeFile(t *testing.T, s *Store) {
	t.Helper()
	var found string
	if err := s.pool.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&found); err != nil || found != "ok" {
		t.Errorf("integrity check: %s, %v", found, err)
	}
}

func TestNoFileContainsAnErasedScope(t *testing.T) {
	dir := t.TempDir()
	s := openedAt(t, filepath.Join(dir, "tenure.db"))
	ctx := t.Context()
	secret := graph.Scope{Tenant: "acme", Name: canary}
	d := about(canary, 700, day0) // more than one piece
	d.Settings = &graph.Settings{TimeZone: canary}
	d.Receipts = []graph.Receipt{{Key: canary, Hash: canary}}
	d.Tombstones = []string{canary}
	write(t, s, scope, about("plain", 50, day0))
	write(t, s, secret, d)
	if err := s.Touch(ctx, secret, []graph.ClaimID{d.Claims[0].ID}, day0); err != nil {
		t.Fatal(err)
	}
	reader := snapshot(t, s, graph.View{Scope: secret})
	got, err := s.Erase(ctx, secret)
	if want := (graph.Counts{Episodes: 700, Entities: 700, Facts: 700, Versions: 700, Changes: 700}); err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if found := filesWith(t, dir, canary); found != nil {
		t.Errorf("contain the canary: %v", found)
	}
	if _, err := reader.ListClaims(ctx, graph.ClaimFilter{}); !errors.Is(err, graph.ErrNotFound) {
		t.Errorf("a reader from before: got %v, want not found", err)
	}
	if _, err := s.Erase(ctx, secret); !errors.Is(err, graph.ErrNotFound) {
		t.Errorf("erased again: got %v, want not found", err)
	}
	for _, table := range tables(t, s) {
		if n := rowsWith(t, s, table); n != 0 {
			t.Errorf("%s: %d rows are left", table, n)
		}
	}
}

// tables returns the tables that hold rows of scopes.
func tables(t *testing.T, s *Store) (out []string) {
	t.Helper()
	rows, err := s.pool.QueryContext(t.Context(), `SELECT m.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table' AND c.name = 'scope'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		out = append(out, name)
	}
	if len(out) < 14 {
		t.Fatalf("tables: %v", out)
	}
	return out
}

// rowsWith counts the rows of a table that belong to no scope there is.
func rowsWith(t *testing.T, s *Store, table string) (n int) {
	t.Helper()
	if err := s.pool.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM `+table+` WHERE scope NOT IN (SELECT key FROM scopes)`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestAnEraseThatWasInterruptedIsFinishedByTheNextOpen(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "tenure.db")
	s := openedAt(t, path)
	ctx := t.Context()
	secret := graph.Scope{Tenant: "acme", Name: canary}
	write(t, s, scope, about("plain", 5, day0))
	write(t, s, secret, about(canary, 300, day0))
	// What a process does that dies in the middle: the scope is gone, and one table is cleared.
	if err := s.locked(ctx, func(db *session) error {
		key, _, err := findScope(ctx, db, secret)
		if err != nil {
			return err
		}
		if _, err := db.exec(ctx, scopeAbandon, arg("scope", key)); err != nil {
			return err
		}
		_, err = db.exec(ctx, versionClear, arg("scope", key), arg("limit", 100))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Snapshot(ctx, graph.View{Scope: secret}); !errors.Is(err, graph.ErrNotFound) {
		t.Errorf("got %v, want not found at once", err)
	}
	write(t, s, secret, about("fresh", 5, day0)) // the name is free
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openedAt(t, path)
	s.tasks.Wait()
	if found := filesWith(t, dir, canary+"-"); found != nil {
		t.Errorf("contain the canary: %v", found)
	}
	for _, kept := range []graph.Scope{scope, secret} {
		if n := must[graph.Counts](t)(snapshot(t, s, graph.View{Scope: kept}).Counts(ctx)); n.Versions != 5 {
			t.Errorf("%s: %d versions, want 5", kept.Name, n.Versions)
		}
	}
}

func TestAnEraseWhoseContextEndsGoesOn(t *testing.T) {
	dir := t.TempDir()
	s := openedAt(t, filepath.Join(dir, "tenure.db"))
	secret := graph.Scope{Tenant: "acme", Name: canary}
	write(t, s, secret, about(canary, 600, day0))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for { // until the scope is gone, which is when its rows begin to be deleted
			if _, err := s.Snapshot(t.Context(), graph.View{Scope: secret}); err != nil {
				cancel()
				return
			}
		}
	}()
	if _, err := s.Erase(ctx, secret); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want canceled", err)
	}
	<-gone
	s.tasks.Wait()
	if found := filesWith(t, dir, canary); found != nil {
		t.Errorf("contain the canary: %v", found)
	}
}

func TestWhatWasErasedLeavesTheLogWhenReadersLetIt(t *testing.T) {
	dir := t.TempDir()
	s := openedAt(t, filepath.Join(dir, "tenure.db"))
	s.patience = time.Millisecond
	ctx := t.Context()
	write(t, s, scope, about("plain", 5, day0))
	secret := about(canary, 5, day0)
	write(t, s, scope, secret)
	rows, err := s.pool.QueryContext(ctx, "SELECT id FROM claims") // a reader that takes its time
	if err != nil || !rows.Next() {
		t.Fatal(err)
	}
	if err := s.Update(ctx, scope, func(w graph.Writer) error { return w.Destroy(ctx, allOf(secret)) }); err != nil {
		t.Fatal(err)
	}
	if filesWith(t, dir, canary) == nil {
		t.Error("the log was emptied under a reader")
	}
	write(t, s, scope, about("more", 5, day0)) // others go on meanwhile
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	s.tasks.Wait()
	if found := filesWith(t, dir, canary); found != nil {
		t.Errorf("contain the canary: %v", found)
	}
}
