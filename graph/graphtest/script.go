package graphtest

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"tenure/entities"
	"tenure/fixtures"
	"tenure/graph"
	"tenure/temporal"
)

var update = flag.Bool("update", false, "rewrite what the scripts in fixtures expect")

// testScripts runs every script of fixtures on a scope of its own. A script is a txtar archive. Its comment says what it pins;
// each of its files is a scene: lines that begin with > are commands, one that begins with + belongs to the request of the one
// before, and what follows is what they answer. The commands are listed in scriptCommands.
func testScripts(t *testing.T, store graph.Store) {
	names, err := fs.Glob(fixtures.Scripts, "*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(name, ".txtar"), func(t *testing.T) {
			t.Parallel()
			data, err := fixtures.Scripts.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := runScript(t, store, txtar.Parse(data))
			if bytes.Equal(got, data) {
				return
			}
			if !*update {
				t.Fatal(diff(name+" (rewrite it with -update)", strings.Split(string(got), "\n"), strings.Split(string(data), "\n")))
			}
			if err := os.WriteFile(filepath.Join(fixturesDir(t), name), got, 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// fixturesDir is where the scripts are kept.
func fixturesDir(t *testing.T) string {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "fixtures")
		}
		if filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	t.Fatalf("found no module: %v", err)
	return ""
}

// runScript runs a script and returns it with what its commands answer.
func runScript(t *testing.T, store graph.Store, script *txtar.Archive) []byte {
	s := &stage{ctx: t.Context(), store: store, scope: newScope(), requests: map[string]temporal.Instant{}}
	for i, scene := range script.Files {
		var out strings.Builder
		lines := strings.Split(string(scene.Data), "\n")
		for j, line := range lines {
			if !strings.HasPrefix(line, "> ") {
				if j == 0 || strings.HasPrefix(line, "#") {
					fmt.Fprintln(&out, line)
				}
				continue
			}
			request := []string{line[2:]}
			fmt.Fprintln(&out, line)
			for _, more := range lines[j+1:] {
				if !strings.HasPrefix(more, "+ ") {
					break
				}
				request = append(request, more[2:])
				fmt.Fprintln(&out, more)
			}
			answer, err := s.do(request)
			if err != nil {
				t.Fatalf("%s: %s: %v", scene.Name, line, err)
			}
			out.WriteString(answer)
		}
		script.Files[i].Data = []byte(out.String())
	}
	return txtar.Format(script)
}

// A stage is a scope in which a script is run.
type stage struct {
	ctx      context.Context
	store    graph.Store
	scope    graph.Scope
	date     temporal.Instant            // on which the story is
	said     []moment                    // when its requests were done
	requests map[string]temporal.Instant // by the label of one of their operations
	made     int
}

// A moment is a transaction time of the store, with the date that it has in the story.
type moment struct{ tx, date temporal.Instant }

// words are the arguments of a command: first those that stand by themselves, then pairs of a word and what it introduces.
type words struct {
	name   string
	plain  []string
	option map[string]string
}

// options are the words that introduce another one, and the flags that introduce none.
var (
	options = []string{
		"as", "at", "actor", "by", "from", "holds", "importance", "in", "into", "inverse", "known", "object", "of", "opposite", "predicate",
		"quote", "replaces", "since", "text", "to", "trust", "type", "until", "when",
		"begins-from", "begins-before", "ends-from", "ends-before",
	}
	flags = []string{"never", "symmetric", "hidden", "gone", "limit-1"}
)

// split reads a command. A word may stand in quotes.
func split(line string) (words, error) {
	w := words{option: map[string]string{}}
	var all []string
	for rest := strings.TrimSpace(line); rest != ""; rest = strings.TrimSpace(rest) {
		if rest[0] == '"' {
			end := strings.IndexByte(rest[1:], '"')
			if end < 0 {
				return w, errors.New("a quote does not end")
			}
			all, rest = append(all, "\x00"+rest[1:1+end]), rest[2+end:]
			continue
		}
		word, more, _ := strings.Cut(rest, " ")
		all, rest = append(all, word), more
	}
	if len(all) == 0 {
		return w, errors.New("no command")
	}
	w.name = all[0]
	for i := 1; i < len(all); i++ {
		switch {
		case slices.Contains(flags, all[i]):
			w.option[all[i]] = "yes"
		case slices.Contains(options, all[i]):
			if i+1 == len(all) {
				return w, fmt.Errorf("nothing follows %s", all[i])
			}
			w.option[all[i]] = strings.TrimPrefix(all[i+1], "\x00")
			i++
		default:
			w.plain = append(w.plain, strings.TrimPrefix(all[i], "\x00"))
		}
	}
	return w, nil
}

// word is the i-th plain word, or "".
func (w words) word(i int) string {
	if i < len(w.plain) {
		return w.plain[i]
	}
	return ""
}

// list is an option of several words with commas between.
func (w words) list(name string) []string {
	if w.option[name] == "" {
		return nil
	}
	return strings.Split(w.option[name], ",")
}

// day reads a date; "unknown" and "open" are none.
func day(text string) (temporal.Date, error) {
	switch text {
	case "unknown":
		return temporal.Date{Precision: temporal.Unknown}, nil
	case "open", "":
		return temporal.Date{}, nil
	}
	d, err := temporal.ParseDate(text, nil)
	if d.Precision == temporal.Day || d.Precision == temporal.Exact {
		d.Precision = "" // said to the day, which is what a script writes
	}
	return d, err
}

// thing is the entity of a name in a script: its id is its key. A name that begins with a digit or a sign is a value.
func thing(name string) graph.Entity {
	kind := ""
	if strings.ContainsAny(name[:1], "0123456789$€") {
		kind = graph.KindValue
	}
	key := entities.KeyOf(name, kind)
	return graph.Entity{ID: graph.EntityID(key), Name: name, Kind: kind, Keys: []string{key}}
}
