package sqlite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"tenure/graph"
	"tenure/temporal"
)

// childPath is the variable that makes this binary a child of a test: the file it writes to.
const childPath = "TENURE_SQLITE_TEST_CHILD"

// childMain runs what a test has started this binary again for, and reports whether it was started so.
func childMain() bool {
	path := os.Getenv(childPath)
	if path == "" {
		return false
	}
	if err := childWrites(path); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}

// childWrites writes numbered updates for ever and prints the number of each that has returned.
func childWrites(path string) error {
	ctx := context.Background()
	s, err := Open(ctx, Config{Path: path})
	if err != nil {
		return err
	}
	numbers, err := written(ctx, s)
	if err != nil {
		return err
	}
	for n := len(numbers); ; n++ {
		if err := s.Update(ctx, scope, func(w graph.Writer) error { return writeNumber(ctx, w, n) }); err != nil {
			return err
		}
		fmt.Println(n)
	}
}

// rowsOfNumber is how many rows of each noun an update writes.
const rowsOfNumber = 8

// writeNumber writes rows that carry a number, and now and then destroys what an earlier update wrote beside.
func writeNumber(ctx context.Context, w graph.Writer, n int) error {
	d := about(fmt.Sprint("number", n), rowsOfNumber, w.Now())
	if err := w.Write(ctx, d); err != nil {
		return err
	}
	if err := w.Write(ctx, graph.Delta{Episodes: []graph.Episode{{ID: graph.EpisodeID(fmt.Sprint("extra", n)), Recorded: graph.Pos{Tx: w.Now()}}}}); err != nil {
		return err
	}
	if n%5 != 4 {
		return nil
	}
	return w.Destroy(ctx, graph.Destruction{Episodes: []graph.EpisodeID{graph.EpisodeID(fmt.Sprint("extra", n-1))}})
}

// written returns the numbers there are, and an error if one is there in part.
func written(ctx context.Context, s *Store) ([]int, error) {
	reader, err := s.Snapshot(ctx, graph.View{Scope: scope})
	if errors.Is(err, graph.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var numbers []int
	for n := 0; ; n++ {
		want := allOf(about(fmt.Sprint("number", n), rowsOfNumber, 0))
		claims, claimsErr := reader.Claims(ctx, want.Claims)
		changes, changesErr := reader.Changes(ctx, want.Changes)
		episodes, episodesErr := reader.Episodes(ctx, want.Episodes)
		entities, entitiesErr := reader.Entities(ctx, want.Entities)
		versions, versionsErr := reader.Versions(ctx, graph.VersionFilter{Lanes: want.Lanes})
		if err := errors.Join(claimsErr, changesErr, episodesErr, entitiesErr, versionsErr); err != nil {
			return nil, err
		}
		counts := []int{len(claims), len(changes), len(episodes), len(entities), len(versions)}
		for _, count := range counts {
			if count != counts[0] || count != 0 && count != rowsOfNumber {
				return nil, fmt.Errorf("update %d is there in part: %v", n, counts)
			}
		}
		if counts[0] == 0 {
			return numbers, nil
		}
		numbers = append(numbers, n)
	}
}

func TestAKilledProcessLosesNothingItAcknowledged(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	path := filepath.Join(t.TempDir(), "tenure.db")
	kills, last := 20, -1
	if testing.Short() {
		kills = 3
	}
	for range kills {
		last = max(last, runUntilKilled(t, path, 1+r.IntN(8), time.Duration(r.IntN(4000))*time.Microsecond))
		s, err := Open(t.Context(), Config{Path: path, Clock: temporal.NewFixed(day0)})
		if err != nil {
			t.Fatal(err)
		}
		numbers, err := written(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if len(numbers) <= last {
			t.Fatalf("update %d was acknowledged, and there are %d", last, len(numbers))
		}
		wholeFile(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d updates survived %d kills", last+1, kills)
}

// runUntilKilled starts a child and kills it after so many acknowledgements and that long, and returns the last acknowledged number.
func runUntilKilled(t *testing.T, path string, acknowledgements int, more time.Duration) int {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), childPath+"="+path)
	child.Stderr = os.Stderr
	stdout, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	last := -1
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		n, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Fatal(err)
		}
		last = n
		if acknowledgements--; acknowledgements == 0 {
			timer := time.AfterFunc(more, func() { _ = child.Process.Kill() }) // somewhere in the next update
			defer timer.Stop()
		}
	}
	if acknowledgements > 0 {
		t.Error("the child ended by itself")
	}
	_ = child.Wait() // it was killed
	return last
}
