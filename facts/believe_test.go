package facts_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure/facts"
	"tenure/graph"
	"tenure/temporal"
)

// Claims are written as they would be told, in the order in which they are recorded:
//
//	b: Basic from 2026-02 to 2026-06 holds 2026-02-10T09:00 reported muted
//	r: retract Pro from 2026-05       (retract * is of whatever holds; never Pro)
//	y: Y from 2026-01 with            (recorded in one request with the one before)
//
// a time says its precision; "narrowed 2026 2027" narrows the placement (.. is an open end), "fact x" carries on another's id.
// Windows are written "Object begin/end fact by supports": the begin is ? if unknown, the end .. if open, and supports are
// named where there are others than the fact.

func placements(t *testing.T, claims []string) []graph.Placement {
	t.Helper()
	var placed []graph.Placement
	var rec graph.Pos
	for _, line := range claims {
		words := strings.Fields(line)
		id := graph.ClaimID(strings.TrimSuffix(words[0], ":"))
		p := graph.Placement{Claim: id, Fact: id, ID: graph.PlacementID(line), Kind: graph.Assert, Trust: graph.Stated}
		words = words[1:]
		if kind := graph.ClaimKind(words[0]); kind == graph.Retract || kind == graph.Never {
			p.Kind, words = kind, words[1:]
		}
		if words[0] != "*" {
			p.Object = graph.EntityID(words[0])
		}
		rec = graph.Pos{Tx: rec.Tx + 1}
		if slices.Contains(words, "with") {
			rec = graph.Pos{Tx: rec.Tx - 1, Seq: 1}
		}
		p.Rec = rec
		clauses(t, &p, words[1:])
		placed = append(placed, p)
	}
	return placed
}

func clauses(t *testing.T, p *graph.Placement, words []string) {
	t.Helper()
	next := func() string {
		words = words[1:]
		return words[0]
	}
	for ; len(words) > 0; words = words[1:] {
		switch words[0] {
		case "with":
		case "from":
			p.Valid.From, p.Precision.From = timeOf(t, next())
		case "to":
			p.Valid.To, p.Precision.To = timeOf(t, next())
		case "holds":
			p.HoldsAt, _ = timeOf(t, next())
		case "narrowed":
			p.Narrowed.From, _ = timeOf(t, next())
			p.Narrowed.To, _ = timeOf(t, next())
		case "fact":
			p.Fact = graph.ClaimID(next())
		case "muted":
			p.Muted = true
		case "stated", "reported", "inferred":
			p.Trust = graph.Trust(words[0])
		default:
			t.Fatalf("what is %q?", words[0])
		}
	}
}

func timeOf(t *testing.T, s string) (temporal.Instant, temporal.Precision) {
	t.Helper()
	if s == ".." {
		return 0, ""
	}
	if strings.Contains(s, "T") {
		s += ":00Z"
	}
	d, err := temporal.ParseDate(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d.Precision == temporal.Exact {
		d.Precision = ""
	}
	return d.At, d.Precision
}

func told(windows []facts.Window) []string {
	out := []string{}
	for _, w := range windows {
		from, to := "?", ".."
		if w.Precision.From != temporal.Unknown {
			from = boundOf(w.Valid.From, w.Precision.From)
		}
		if !w.Valid.Open() {
			to = boundOf(w.Valid.To, w.Precision.To)
		}
		line := string(w.Object) + " " + from + "/" + to + " " + string(w.Fact)
		if len(w.Support) != 1 || w.Support[0].Claim != w.Fact {
			line += " by"
			for _, p := range w.Support {
				line += " " + string(p.Claim)
			}
		}
		if w.Muted {
			line += " muted"
		}
		out = append(out, line)
	}
	return out
}

func boundOf(at temporal.Instant, precision temporal.Precision) string {
	layout := map[temporal.Precision]string{temporal.Year: "2006", temporal.Month: "2006-01", temporal.Day: "2006-01-02", "": "2006-01-02T15:04"}[precision]
	return at.Time().Format(layout)
}

// laneCase is what is told, and what holds then.
type laneCase struct {
	name   string
	claims []string
	want   []string
}

func checkLanes(t *testing.T, rule func([]graph.Placement) []facts.Window, cases []laneCase) {
	t.Helper()
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, told(rule(placements(t, tt.claims)))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestBelieve has the cases that the rule was made from.
func TestBelieve(t *testing.T) {
	checkLanes(t, facts.Believe, []laneCase{
		{"supersede", []string{"b: Basic from 2026-02", "p: Pro from 2026-06"}, []string{"Basic 2026-02/2026-06 b", "Pro 2026-06/.. p"}},
		{"late arrival", []string{"p: Pro from 2026-06", "b: Basic from 2026-02"}, []string{"Basic 2026-02/2026-06 b", "Pro 2026-06/.. p"}},
		{"A B A", []string{"p: Pro from 2024", "t: Team from 2025", "q: Pro from 2026"},
			[]string{"Pro 2024/2025 p", "Team 2025/2026 t", "Pro 2026/.. q"}},
		{"A A B", []string{"p: Pro from 2024", "q: Pro from 2026", "t: Team from 2025"},
			[]string{"Pro 2024/2025 p", "Team 2025/2026 t", "Pro 2026/.. q"}},
		{"told twice keeps the id", []string{"a: A from 2026-01", "b: A from 2026-01", "c: A from 2026-04"}, []string{"A 2026-01/.. a by a b c"}},
		{"trial resumes", []string{"p: Pro from 2026-01", "t: Ent from 2026-03 to 2026-04"},
			[]string{"Pro 2026-01/2026-03 p", "Ent 2026-03/2026-04 t", "Pro 2026-04/.. p"}},
		{"states an end", []string{"a: Pro from 2026-01", "b: Pro from 2026-05 to 2026-09"}, []string{"Pro 2026-01/2026-09 a by a b"}},
		{"states an end, same begin", []string{"b: Pro from 2026-01 to 2026-09", "a: Pro from 2026-01"}, []string{"Pro 2026-01/2026-09 b by b a"}},
		{"equal begin", []string{"p: Pro from 2026-01", "t: Ent from 2026-01"}, []string{"Ent 2026-01/.. t"}},
		{"equal begin, one request", []string{"x: X from 2026-01", "y: Y from 2026-01 with"}, []string{"Y 2026-01/.. y"}},
		{"retract", []string{"p: Pro from 2026-01", "r: retract Pro from 2026-05"}, []string{"Pro 2026-01/2026-05 p"}},
		{"retract, then again", []string{"p: Pro from 2026-01", "r: retract Pro from 2026-05", "q: Pro from 2026-07"},
			[]string{"Pro 2026-01/2026-05 p", "Pro 2026-07/.. q"}},
		{"retract another object", []string{"p: Pro from 2026-01", "t: Team from 2026-03", "r: retract Pro from 2026-05"},
			[]string{"Pro 2026-01/2026-03 p", "Team 2026-03/.. t"}},
		{"retract what holds", []string{"p: Pro from 2026-01", "r: retract * from 2026-05"}, []string{"Pro 2026-01/2026-05 p"}},
		{"never", []string{"p: Pro from 2026-01", "n: never Pro"}, []string{}},
		{"an inferred never is powerless", []string{"p: Pro from 2026-01", "n: never Pro inferred"}, []string{"Pro 2026-01/.. p"}},
		{"document updates a remark", []string{"o: Old from 2019", "n: New from 2026 reported"}, []string{"Old 2019/2026 o", "New 2026/.. n"}},
		{"equal begin, trust decides", []string{"o: Old from 2019", "n: New from 2019 reported"}, []string{"Old 2019/.. o"}},
		{"inferred closes nothing", []string{"o: Old from 2019", "n: New from 2026 inferred"}, []string{"Old 2019/.. o"}},
		{"since January, said in June", []string{"t: Team from 2026-03-01 holds 2026-03-01T00:00", "p: Pro from 2026-01 holds 2026-06-05T09:00"},
			[]string{"Pro 2026-01/2026-03-01 p", "Team 2026-03-01/2026-06-05T09:00 t", "Pro 2026-06-05T09:00/.. p"}},
		{"moved in June, said on the 20th", []string{"b: Basic from 2026-06-10 holds 2026-06-10T00:00", "p: Pro from 2026-06 holds 2026-06-20T09:00"},
			[]string{"Pro 2026-06/2026-06-10 p", "Basic 2026-06-10/2026-06-20T09:00 b", "Pro 2026-06-20T09:00/.. p"}},
		{"both told at once, either order", []string{"t: Team from 2025 holds 2026-01-15T09:00", "p: Pro from 2024 holds 2026-01-15T09:00 with"},
			[]string{"Pro 2024/2025 p", "Team 2025/.. t"}},
		{"back-fill of the middle, no end stated", []string{"p: Pro from 2024", "e: Ent from 2026", "t: Team from 2025"},
			[]string{"Pro 2024/2025 p", "Team 2025/2026 t", "Ent 2026/.. e"}},
		{"an older employer imported", []string{"a: Acme from 2019", "b: Beta from 2015 to 2018"}, []string{"Beta 2015/2018 b", "Acme 2019/.. a"}},
		{"used to, begin unknown", []string{"r: Rome to 2026", "p: Paris from 2020"}, []string{"Rome ?/2020 r", "Paris 2020/.. p"}},
		{"used to, begin known",
			[]string{"b: Basic from 2026-02 holds 2026-02-01T00:00", "p: Pro from 2026-06 holds 2026-06-01T00:00", "u: Pro to 2026-09"},
			[]string{"Basic 2026-02/2026-06 b", "Pro 2026-06/2026-09 p by p u"}},
		{"an undated document", []string{"d: Pro reported", "b: Basic from 2026-02", "p: Pro from 2026-06"},
			[]string{"Basic 2026-02/2026-06 b", "Pro 2026-06/.. d by d p"}},
		{"forgotten hides, does not resurrect", []string{"b: Basic from 2026-02", "p: Pro from 2026-06 muted"},
			[]string{"Basic 2026-02/2026-06 b", "Pro 2026-06/.. p muted"}},
	})
}

// TestBelieveDetails has what follows from the rule where it is easily broken.
func TestBelieveDetails(t *testing.T) {
	checkLanes(t, facts.Believe, []laneCase{
		{"nothing told", nil, []string{}},
		{"only denials", []string{"r: retract Pro from 2026", "n: never Pro"}, []string{}},
		{"begin in the future of another", []string{"b: Basic from 2025", "t: Team from 2027", "p: Pro from 2026"},
			[]string{"Basic 2025/2026 b", "Pro 2026/2027 p", "Team 2027/.. t"}},
		{"what is over brings no other object back", []string{"b: Basic from 2024", "p: Pro from 2025", "u: Pro from 2025 to 2026"},
			[]string{"Basic 2024/2025 b", "Pro 2025/2026 p by p u"}},
		{"what is over supports nothing past another object", []string{"a: A from 2024", "b: B from 2025", "u: B from 2025 to 2026", "c: A from 2027"},
			[]string{"A 2024/2025 a", "B 2025/2026 b by b u", "A 2027/.. c"}},
		{"an end less trusted closes nothing", []string{"p: Pro from 2024", "u: Pro from 2024 to 2026 reported"}, []string{"Pro 2024/.. p by p u"}},
		{"what is over lets its own object go on", []string{"a: Pro from 2024 reported", "u: Pro from 2024 to 2025 reported", "s: Pro from 2023"},
			[]string{"Pro 2023/.. a by a u s"}},
		{"an end before it was said to hold closes nothing", []string{"p: Pro from 2024 holds 2026-06-01T00:00", "u: Pro from 2024 to 2026"},
			[]string{"Pro 2024/.. p by p u"}},
		{"the earliest end closes", []string{"p: Pro from 2024", "u: Pro from 2024 to 2027", "v: Pro from 2024 to 2026", "w: Pro from 2020 to 2024"},
			[]string{"Pro 2020/2027 p by p u v w"}},
		{"a retraction of another object ends the support", []string{"a: A from 2024", "r: retract B from 2025", "b: A from 2026"},
			[]string{"A 2024/.. a by a b"}},
		{"a claim held down by a retraction of its object supports nothing", []string{"a: A from 2024", "r: retract A from 2025", "b: A from 2026"},
			[]string{"A 2024/2025 a", "A 2026/.. b"}},
		{"a bounded retraction lets the claim resume", []string{"a: A from 2024", "r: retract A from 2025 to 2026"},
			[]string{"A 2024/2025 a", "A 2026/.. a"}},
		{"an inferred retraction denies only what is inferred", []string{"a: A from 2024", "b: B from 2025 inferred", "r: retract A from 2026 inferred"},
			[]string{"A 2024/.. a"}},
		{"inferred holds where no other covers", []string{"a: A from 2024 to 2025", "b: B from 2023 inferred"},
			[]string{"B 2023/2024 b", "A 2024/2025 a", "B 2025/.. b"}},
		{"a never takes back retractions too", []string{"p: Pro from 2024", "r: retract Pro from 2025", "n: never Pro", "q: Pro from 2023"},
			[]string{"Pro 2023/.. q"}},
		{"a never of whatever holds takes back retractions of it", []string{"p: Pro from 2024", "r: retract * from 2025", "n: never *"},
			[]string{"Pro 2024/.. p"}},
		{"unknown begins count from the begin before their end", []string{"o: A from 2020 to 2021", "a: A from 2024 to 2025", "b: A from 2026", "u: A to 2025", "x: X from 2023"},
			[]string{"A 2020/2021 o", "X 2023/2024 x", "A 2024/2025 a by a u", "X 2025/2026 x", "A 2026/.. b"}},
		{"an inferred begin dates nothing", []string{"a: A from 2024 inferred", "u: A to 2025"}, []string{"A ?/2025 a by a u"}},
	})
}

func TestBelieveNarrowed(t *testing.T) {
	checkLanes(t, facts.Believe, []laneCase{
		{"it counts within, ranked by its own begin", []string{"p: Pro from 2024 narrowed 2025 2027", "t: Team from 2023", "u: Ent from 2026 to 2028"},
			[]string{"Team 2023/2025-01-01T00:00 t", "Pro 2025-01-01T00:00/2026 p", "Ent 2026/2028 u", "Team 2028/.. t"}},
		{"others' ends do not touch it", []string{"p: Pro from 2024 narrowed 2025 ..", "u: Pro from 2024 to 2026"}, []string{"Pro 2024/.. p by p u"}},
		{"pieces of one claim support one window", []string{"p: Pro from 2024 narrowed 2024 2025", "p: Pro from 2024 narrowed 2025 2026 with"},
			[]string{"Pro 2024/2026-01-01T00:00 p by p p"}},
		{"a claim's own end does not close it", []string{"p: Pro from 2024 to 2026 narrowed 2024 2025", "p: Pro from 2024 with"}, []string{"Pro 2024/.. p by p p"}},
		{"narrowed to nothing", []string{"p: Pro from 2024 to 2025 narrowed 2025 2026"}, []string{}},
		{"an unknown begin is cut off", []string{"p: Pro narrowed 2025 .."}, []string{"Pro 2025-01-01T00:00/.. p"}},
	})
}

func TestBelieveFactAndMuted(t *testing.T) {
	checkLanes(t, facts.Believe, []laneCase{
		{"a claim that carries on a fact", []string{"b: Pro from 2025 fact a", "c: Pro from 2024"}, []string{"Pro 2024/.. a by b c"}},
		{"hidden only if every support is", []string{"b: Pro from 2024 muted", "c: Pro from 2025", "t: Team from 2026 muted"},
			[]string{"Pro 2024/2026 b by b c", "Team 2026/.. t muted"}},
	})
}

// TestBelievePrecision: see told for how precisions show.
func TestBelievePrecision(t *testing.T) {
	checkLanes(t, facts.Believe, []laneCase{
		{"of the support recorded first", []string{"a: A from 2024", "b: A from 2024-01", "c: A from 2024-01-01"}, []string{"A 2024/.. a by a b c"}},
		{"a support's begin before another's holding", []string{"a: A from 2024-01 holds 2025-01-01T00:00", "b: B from 2024-06", "c: A from 2025"},
			[]string{"A 2024-01/2024-06 a", "B 2024-06/2025 b", "A 2025/.. a by a c"}},
		{"holding is exact", []string{"a: A from 2024 holds 2025-01-01T00:00", "b: B from 2024-06 to 2025"},
			[]string{"A 2024/2024-06 a", "B 2024-06/2025 b", "A 2025-01-01T00:00/.. a"}},
		{"resumed at another's end", []string{"a: A from 2024", "b: B from 2024-02-03 to 2024-03", "c: C from 2024-03-01 inferred"},
			[]string{"A 2024/2024-02-03 a", "B 2024-02-03/2024-03 b", "A 2024-03/.. a"}},
		{"ended by a retraction", []string{"a: A from 2024", "r: retract A from 2025-01"}, []string{"A 2024/2025-01 a"}},
		{"a stated end before a successor's begin", []string{"b: B from 2025-01-01", "a: A from 2024 to 2025"}, []string{"A 2024/2025 a", "B 2025-01-01/.. b"}},
		{"another's stated end before a successor's begin", []string{"b: B from 2025-01-01", "a: A from 2024", "x: X from 2020 to 2025-01"},
			[]string{"X 2020/2024 x", "A 2024/2025-01 a", "B 2025-01-01/.. b"}},
		{"what was taken back explains nothing", []string{"x: X from 2020 to 2025-01", "n: never X", "a: A from 2024", "b: B from 2025"},
			[]string{"A 2024/2025 a", "B 2025/.. b"}},
	})
}

func TestBelieveManyValues(t *testing.T) {
	checkLanes(t, facts.Believe, []laneCase{
		{"corroborated", []string{"a: X from 2024", "b: X from 2026 holds 2026-06-01T00:00", "c: X to 2025 reported"}, []string{"X 2024/.. a by a b c"}},
		{"ended and begun again", []string{"a: X from 2024", "r: retract X from 2025", "b: X from 2026 to 2027"}, []string{"X 2024/2025 a", "X 2026/2027 b"}},
		{"retracted in whatever words", []string{"a: X from 2024", "r: retract * from 2025"}, []string{"X 2024/2025 a"}},
	})
}

func TestDisputed(t *testing.T) {
	checkLanes(t, facts.Disputed, []laneCase{
		{"nothing told", nil, []string{}},
		{"nothing inferred", []string{"o: Old from 2019", "n: New from 2026 reported"}, []string{}},
		{"an inferred claim against what holds", []string{"o: Old from 2019", "n: New from 2026 inferred"}, []string{"New 2026/.. n"}},
		{"nothing else holds", []string{"n: New from 2026 inferred"}, []string{}},
		{"only where something else holds", []string{"o: Old from 2019 to 2027", "n: New from 2026 inferred"}, []string{"New 2026/2027 n"}},
		{"where it holds it is not disputed", []string{"o: Old from 2024", "n: New from 2019 inferred"}, []string{}},
		{"it agrees with what holds", []string{"o: Old from 2019", "n: Old from 2026 inferred"}, []string{}},
		{"retracted since", []string{"o: Old from 2019", "n: New from 2025 inferred", "r: retract New from 2026"}, []string{"New 2025/2026 n"}},
		{"of equal begin, less trusted", []string{"o: Old from 2019", "n: New from 2019 inferred"}, []string{}},
		{"of equal begin, recorded after a report", []string{"o: Old from 2019 reported", "n: New from 2019 inferred"}, []string{"New 2019/.. n"}},
		{"one window against two objects", []string{"o: Old from 2019", "t: Trial from 2020 to 2027", "n: New from 2026 inferred"},
			[]string{"New 2026/.. n"}},
		{"a value of long ago again", []string{"a: A from 2018", "b: B from 2019", "i: A from 2026 inferred"}, []string{"A 2026/.. i"}},
		{"until what holds is over, though an inferred end would have ended it before",
			[]string{"o: A from 2020 reported", "x: A from 2019 to 2025 narrowed 2019 2020 reported", "y: A from 2019 to 2023 inferred", "b: B from 2024 inferred"},
			[]string{"B 2024/2025 b"}},
		{"told twice", []string{"o: Old from 2019", "n: New from 2026 inferred", "m: New from 2025 inferred muted"}, []string{"New 2025/.. n by n m"}},
		{"the id is the claim's", []string{"o: Old from 2019", "n: New from 2026 inferred fact x"}, []string{"New 2026/.. n"}},
		{"forgotten", []string{"o: Old from 2019", "n: New from 2026 inferred muted"}, []string{"New 2026/.. n muted"}},
		{"against what is hidden", []string{"o: Old from 2019 muted", "n: New from 2026 inferred"}, []string{"New 2026/.. n"}},
		{"a claim that is not inferred stands behind it",
			[]string{"a: A to 2026", "b: B from 2020", "i: A from 2024 inferred"}, []string{}},
	})
	t.Run("support keeps its trust", func(t *testing.T) {
		placed := placements(t, []string{"o: Old from 2019", "n: New from 2026 inferred"})
		if diff := cmp.Diff(placed[1:], facts.Disputed(placed)[0].Support); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestTakenBack(t *testing.T) {
	for _, tt := range []struct {
		name   string
		claims []string // of the first it is asked
		want   bool
	}{
		{"no never", []string{"p: Pro from 2026", "r: retract Pro from 2026"}, false},
		{"a never of its object", []string{"p: Pro from 2026", "n: never Pro"}, true},
		{"recorded later in one request", []string{"p: Pro from 2026", "n: never Pro with"}, true},
		{"a never of another object", []string{"p: Pro from 2026", "n: never Team"}, false},
		{"a never of whatever holds", []string{"p: Pro from 2026", "n: never *"}, false},
		{"an equally trusted never", []string{"p: Pro from 2026 reported", "n: never Pro reported"}, true},
		{"a less trusted never", []string{"p: Pro from 2026", "n: never Pro reported"}, false},
		{"a more trusted never", []string{"p: Pro from 2026 inferred", "n: never Pro reported"}, true},
		{"one of several", []string{"p: Pro from 2026", "m: never Team", "n: never Pro"}, true},
		{"a retraction", []string{"p: retract Pro from 2026", "n: never Pro"}, true},
		{"a retraction of whatever holds", []string{"p: retract * from 2026", "n: never *"}, true},
		{"a retraction of whatever holds, by a never of one", []string{"p: retract * from 2026", "n: never Pro"}, false},
		{"a never", []string{"p: never Pro", "n: never Pro"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			placed := placements(t, tt.claims)
			if got := facts.TakenBack(placed[0], placed); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
	t.Run("a never recorded before it", func(t *testing.T) {
		placed := placements(t, []string{"n: never Pro", "p: Pro from 2026"})
		if facts.TakenBack(placed[1], placed) {
			t.Error("got true, want false")
		}
	})
	t.Run("of one place in the log the later id is the later claim", func(t *testing.T) {
		placed := placements(t, []string{"a: Pro from 2026", "b: never Pro"})
		placed[1].Rec = placed[0].Rec
		if !facts.TakenBack(placed[0], placed) {
			t.Error("got false, want true")
		}
		placed[0].Claim = "c"
		if facts.TakenBack(placed[0], placed) {
			t.Error("the never came first: got true, want false")
		}
	})
}
