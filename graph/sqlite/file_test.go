package sqlite

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sync/errgroup"

	"tenure/graph"
)

func TestManyMayOpenANewFileAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tenure.db")
	var group errgroup.Group
	for range 6 {
		group.Go(func() error {
			s, err := Open(t.Context(), Config{Path: path})
			if err != nil {
				return err
			}
			return errors.Join(s.Update(t.Context(), scope, func(w graph.Writer) error { return countUp(t.Context(), w) }), s.Close())
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	s := openedAt(t, path)
	if got := must[graph.Settings](t)(snapshot(t, s, graph.View{Scope: scope}).Settings(t.Context())).TimeZone; got != "6" {
		t.Errorf("counted %s, want 6", got)
	}
}

func TestAStoreCanBeOpenedWhileAnotherWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tenure.db")
	s := openedAt(t, path)
	if err := s.Update(t.Context(), scope, func(w graph.Writer) error {
		other, err := Open(t.Context(), Config{Path: path})
		if err != nil {
			return err
		}
		if _, err := other.Scopes(t.Context(), "acme", "", 0); err != nil {
			t.Error(err)
		}
		return other.Close()
	}); err != nil {
		t.Fatal(err)
	}
}

func TestAClosedStoreIsOneFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a dir?with=odd&characters#50%")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	s := openedAt(t, filepath.Join(dir, "tenure ü.db"))
	write(t, s, scope, full(day0))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != "tenure ü.db" {
		t.Fatalf("got %v, %v", entries, err)
	}
	if info, err := entries[0].Info(); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode: got %v, %v, want that only the owner reads it", info.Mode(), err)
	}
	write(t, openedAt(t, filepath.Join(dir, "tenure ü.db")), scope, full(day0))
}

func TestATemporaryStoreLeavesNothing(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s, err := Open(t.Context(), Config{})
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, scope, full(day0))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(os.TempDir()); err != nil || len(entries) != 0 {
		t.Errorf("left %v, %v", entries, err)
	}
}

func TestAFileThatCannotBeOpenedIsAnError(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte("this is no database, but a text that is long enough to look at, and to refuse"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{text, dir, filepath.Join(dir, "none", "tenure.db")} {
		if s, err := Open(t.Context(), Config{Path: path}); err == nil {
			t.Errorf("opened %s", path)
			_ = s.Close()
		}
	}
}
