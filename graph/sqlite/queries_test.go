package sqlite

import (
	"embed"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

//go:embed sql/*.sql
var queryFiles embed.FS

// queries returns the text of every query file by its name.
func queries(t *testing.T) map[string]string {
	t.Helper()
	entries, err := queryFiles.ReadDir("sql")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, entry := range entries {
		text, err := queryFiles.ReadFile("sql/" + entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(entry.Name(), ".sql")] = string(text)
	}
	return out
}

var (
	alias = regexp.MustCompile(`\b[a-z]\.`)
)

// code is a query without its comments.
func code(text string) string { return remark.ReplaceAllString(text, "") }

// parameters returns the names of a text, each once, sorted.
func parameters(text string) []string {
	names := parameter.FindAllString(text, -1)
	slices.Sort(names)
	return slices.Compact(names)
}

func TestQueriesSayWhatTheyDo(t *testing.T) {
	for name, text := range queries(t) {
		head, _, _ := strings.Cut(text, "\n"+strings.SplitN(strings.TrimLeft(code(text), "\n"), "\n", 2)[0])
		if !strings.HasPrefix(head, "-- ") {
			t.Errorf("%s: begins with no comment", name)
		}
		if used := parameters(code(text)); len(used) > 0 && !strings.Contains(head, "-- Parameters: ") {
			t.Errorf("%s: does not say its parameters", name)
		}
		for _, said := range parameters(head) {
			if !slices.Contains(parameters(code(text)), said) {
				t.Errorf("%s: says %s and does not use it", name, said)
			}
		}
		if strings.HasPrefix(strings.TrimSpace(code(text)), "SELECT") && !strings.Contains(head, "-- Columns: ") {
			t.Errorf("%s: does not say its columns", name)
		}
	}
}

// The queries on versions that are not about one transaction time.
var allTimes = map[string]string{
	"version_history":      "begins before, ends whenever",
	"version_list_stamped": "the index holds both ends",
	"version_list_renamed": "the index holds both ends",
	"version_list_rows":    "all there are",
	"version_add":          "writes",
	"version_end":          "writes",
	"version_put":          "writes",
	"version_destroy":      "an erase takes all times",
	"version_clear":        "an erase takes all times",
	"scope_count_all":      "an erase takes all times",
	"mark_put":             "asks whether there ever was such a fact",
}

func TestVersionQueriesAreAsOf(t *testing.T) {
	for name, text := range queries(t) {
		if !strings.Contains(code(text), "versions") {
			continue
		}
		if _, ok := allTimes[name]; ok {
			continue
		}
		plain := alias.ReplaceAllString(code(text), "")
		if !strings.Contains(plain, "tx_from <= $tx AND $tx < tx_to") {
			t.Errorf("%s: does not say tx_from <= $tx AND $tx < tx_to", name)
		}
		if strings.Contains(plain, "$valid") && !strings.Contains(plain, "valid_from <= $valid AND $valid < valid_to") {
			t.Errorf("%s: does not say valid_from <= $valid AND $valid < valid_to", name)
		}
	}
}

// big are the tables that no query may read whole.
var big = regexp.MustCompile(`^SCAN (\w+)`)

func TestQueryPlansSeek(t *testing.T) {
	s := opened(t)
	write(t, s, scope, full(day0))
	for name, text := range queries(t) {
		if strings.HasPrefix(name, "migration_") || strings.HasPrefix(name, "update_") || strings.HasPrefix(name, "file_") {
			continue
		}
		numbered, names := compile(text)
		rows, err := s.pool.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+numbered, make([]any, len(names))...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for rows.Next() {
			var id, parent, unused int
			var detail string
			if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(detail, "TEMP B-TREE") {
				t.Errorf("%s: sorts: %s", name, detail)
			}
			if found := big.FindStringSubmatch(detail); found != nil && !mayScan(detail) {
				t.Errorf("%s: scans: %s", name, detail)
			}
		}
		if err := rows.Err(); err != nil {
			t.Error(err)
		}
	}
}

// mayScan reports whether a scan reads nothing but what is asked for: a list that was passed in, the rows of another step, or an
// index that holds nothing else.
func mayScan(detail string) bool {
	for _, fine := range []string{"VIRTUAL TABLE", "CONSTANT ROW", "(subquery", "USING COVERING INDEX episodes_backlog"} {
		if strings.Contains(detail, fine) {
			return true
		}
	}
	return slices.Contains([]string{"SCAN b"}, detail)
}

func TestNoStatementStandsInGo(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	statement := regexp.MustCompile(`\b(SELECT|INSERT INTO|UPDATE [a-z]+ SET|DELETE FROM|CREATE TABLE|BEGIN IMMEDIATE)\b`)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if found := statement.Find(regexp.MustCompile(`(?m)//.*$`).ReplaceAll(text, nil)); found != nil {
			t.Errorf("%s: contains %s", file, found)
		}
	}
}
