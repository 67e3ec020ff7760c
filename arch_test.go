package tenure

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "tenure"

// may is the import policy: what each room may import from this module. A room without a line fails. "*" is everything.
var may = map[string]string{
	"":                "",
	"temporal":        "",
	"lexical":         "",
	"fixtures":        "",
	"graph":           "temporal",
	"extract":         "temporal graph",
	"facts":           "temporal graph",
	"entities":        "temporal graph",
	"extract/rules":   "temporal graph extract facts", // sentence patterns come from the predicate registry
	"belief":          "temporal graph facts",
	"ledger":          "temporal graph facts belief",
	"ingest":          "temporal graph extract entities facts belief ledger",
	"retrieval":       "temporal graph facts entities belief lexical", // question nouns come from the predicate registry
	"api":             "temporal graph belief ingest retrieval",
	"graph/graphtest": "temporal graph facts belief ledger entities lexical fixtures", // the reference model is facts.Believe
	"graph/sqlite":    "temporal graph lexical",
	"embedding":       "",
	"embedding/local": "embedding",
	"cmd/server":      "*",
	"bench":           "*",
}

// outside says which rooms may import code of others, by the longest prefix of its path that has a line; without a line
// nobody may. The core stands on the standard library and uuid, the rest is at the rim.
var outside = map[string]string{
	"database/sql":                  "graph/sqlite",
	"modernc.org/sqlite":            "graph/sqlite",
	"github.com/danielgtaylor/huma": "api",
	"github.com/go-chi/chi":         "api",
	"github.com/prometheus":         "api",
	"github.com/alecthomas/kong":    "cmd/server",
	"github.com/google/uuid":        "graph api",
	"github.com/goccy/go-yaml":      "facts",
	"github.com/kljensen/snowball":  "lexical",
	"golang.org/x/text":             "lexical entities embedding/local",
	"golang.org/x/sys/cpu":          "embedding/local",
	"golang.org/x/sync":             "ingest cmd/server graph/graphtest",
	"golang.org/x/tools/txtar":      "graph/graphtest fixtures",
	"github.com/google/go-cmp":      "graph/graphtest",
}

// clocks are the places that may read the machine's clock, as rooms or files.
var clocks = []string{"cmd/server", "bench", "temporal/clock.go"}

// reads are the functions of package time that read it.
var reads = []string{"Now", "Since", "Until"}

// nameless are names that say nothing of a room's job.
var nameless = []string{"util", "utils", "common", "helpers", "models", "types", "pkg", "misc", "internal"}

// room is a package of this module.
type room struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string
}

func (r room) name() string { return strings.TrimPrefix(strings.TrimPrefix(r.ImportPath, module), "/") }

// rooms lists the packages of this module.
func rooms(t *testing.T) []room {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Dir,GoFiles,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []room
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var r room
		if err := dec.Decode(&r); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
}

func TestArrowsPointOneWay(t *testing.T) {
	for _, r := range rooms(t) {
		allowed, ok := may[r.name()]
		if !ok {
			t.Errorf("room %q has no line in the import policy", r.name())
		}
		for _, path := range r.Imports {
			ours, inside := strings.CutPrefix(path, module+"/")
			if inside && allowed != "*" && !slices.Contains(strings.Fields(allowed), ours) {
				t.Errorf("%s imports %s", r.name(), ours)
			}
		}
	}
}

func TestOthersCodeStaysInItsRoom(t *testing.T) {
	for _, r := range rooms(t) {
		for _, path := range r.Imports {
			allowed, ok := policy(path)
			if !ok && strings.Contains(path, ".") {
				t.Errorf("%s imports %s, which has no line in the policy", r.name(), path)
			}
			if ok && !slices.Contains(strings.Fields(allowed), r.name()) {
				t.Errorf("%s imports %s", r.name(), path)
			}
		}
	}
}

// policy is the line of the longest prefix of a path.
func policy(path string) (allowed string, ok bool) {
	for p := path; ; p = p[:strings.LastIndex(p, "/")] {
		if allowed, ok := outside[p]; ok {
			return allowed, true
		}
		if !strings.Contains(p, "/") {
			return "", false
		}
	}
}

func TestRoomsHaveTellingNames(t *testing.T) {
	for _, r := range rooms(t) {
		for part := range strings.SplitSeq(r.name(), "/") {
			if slices.Contains(nameless, part) {
				t.Errorf("%s: the name says nothing of its job", r.name())
			}
		}
	}
}

func TestOnlyTheProgramReadsTheClock(t *testing.T) {
	for _, r := range rooms(t) {
		for _, file := range r.GoFiles {
			if slices.Contains(clocks, r.name()) || slices.Contains(clocks, r.name()+"/"+file) {
				continue
			}
			positions := token.NewFileSet()
			parsed, err := parser.ParseFile(positions, filepath.Join(r.Dir, file), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok && slices.Contains(reads, s.Sel.Name) {
					if x, ok := s.X.(*ast.Ident); ok && x.Name == "time" {
						t.Errorf("%s reads the clock: take a temporal.Clock", positions.Position(s.Pos()))
					}
				}
				return true
			})
		}
	}
}
