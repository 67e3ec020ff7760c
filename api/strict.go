package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"tenure/graph"
)

const (
	maxDepth = 200 // of nesting
	maxFlaws = 100 // named in one answer
)

// checkJSON reports what encoding/json would let pass and thereby lose or misread: text after the value, invalid UTF-8, NUL
// and lone surrogates in texts and keys, a key given twice, nesting without end. It reads the text once and keeps nothing.
// All faulty texts are named; at broken JSON it stops.
func checkJSON(data []byte) error {
	s := scanner{data: data}
	s.space()
	if s.value(0) {
		s.space()
		if s.pos < len(s.data) {
			s.broken("there is text after the JSON value")
		}
	}
	return errors.Join(s.flaws...)
}

// step is one step of the path to a value: a key of an object, or an index of an array if the key is nil.
type step struct {
	key   []byte
	index int
}

// scanner reads JSON. Its methods report whether to go on.
type scanner struct {
	data  []byte
	pos   int
	path  []step
	flaws []error
}

// broken notes that this is no JSON, and where.
func (s *scanner) broken(why string) bool {
	s.flaws = append(s.flaws, graph.Invalid("body", "%s, at byte %d", why, s.pos))
	return false
}

// flaw notes what is wrong with the text or number at the path.
func (s *scanner) flaw(why string) bool {
	var at strings.Builder
	for _, p := range s.path {
		if p.key == nil {
			at.WriteString("[" + strconv.Itoa(p.index) + "]")
			continue
		}
		if at.Len() > 0 {
			at.WriteByte('.')
		}
		at.WriteString(short(string(p.key), 64))
	}
	if at.Len() == 0 {
		at.WriteString("body")
	}
	s.flaws = append(s.flaws, graph.Invalid(at.String(), "%s", why))
	return len(s.flaws) < maxFlaws
}

func (s *scanner) space() {
	for s.pos < len(s.data) && (s.data[s.pos] == ' ' || s.data[s.pos] == '\n' || s.data[s.pos] == '\t' || s.data[s.pos] == '\r') {
		s.pos++
	}
}

// peek returns the byte to read next, 0 at the end: no JSON begins with NUL.
func (s *scanner) peek() byte {
	if s.pos < len(s.data) {
		return s.data[s.pos]
	}
	return 0
}

func (s *scanner) value(depth int) bool {
	if depth > maxDepth {
		return s.broken("nested deeper than " + strconv.Itoa(maxDepth))
	}
	switch c := s.peek(); {
	case c == '{':
		return s.object(depth)
	case c == '[':
		return s.array(depth)
	case c == '"':
		_, _, ok := s.text()
		return ok
	case c == '-' || '0' <= c && c <= '9':
		return s.number()
	default:
		for _, word := range []string{"true", "false", "null"} {
			if bytes.HasPrefix(s.data[s.pos:], []byte(word)) {
				s.pos += len(word)
				return true
			}
		}
		return s.broken("not JSON")
	}
}

func (s *scanner) object(depth int) bool {
	s.pos++
	if s.space(); s.peek() == '}' {
		s.pos++
		return true
	}
	keys := keySet{}
	for {
		if s.space(); s.peek() != '"' {
			return s.broken("not JSON: want a key in double quotes")
		}
		key, ok := s.key()
		if !ok {
			return false
		}
		if key == nil {
			key = []byte("?") // already named as faulty
		}
		s.path = append(s.path, step{key: key})
		if !keys.add(key) && !s.flaw("is given twice") {
			return false
		}
		if s.space(); s.peek() != ':' {
			return s.broken("not JSON: want a colon after a key")
		}
		s.pos++
		s.space()
		if !s.value(depth + 1) {
			return false
		}
		s.path = s.path[:len(s.path)-1]
		s.space()
		switch s.peek() {
		case ',':
			s.pos++
		case '}':
			s.pos++
			return true
		default:
			return s.broken("not JSON: want a comma or }")
		}
	}
}

func (s *scanner) array(depth int) bool {
	s.pos++
	if s.space(); s.peek() == ']' {
		s.pos++
		return true
	}
	s.path = append(s.path, step{})
	for {
		s.space()
		if !s.value(depth + 1) {
			return false
		}
		s.space()
		switch s.peek() {
		case ',':
			s.pos++
			s.path[len(s.path)-1].index++
		case ']':
			s.pos++
			s.path = s.path[:len(s.path)-1]
			return true
		default:
			return s.broken("not JSON: want a comma or ]")
		}
	}
}

// number reads a number. One that no float64 can hold is a flaw: it would be refused later, with its value.
func (s *scanner) number() bool {
	start := s.pos
	if s.peek() == '-' {
		s.pos++
	}
	if s.peek() == '0' {
		s.pos++
	} else if !s.digits() {
		return s.broken("not JSON: want a number")
	}
	if s.peek() == '.' {
		s.pos++
		if !s.digits() {
			return s.broken("not JSON: want digits after the point")
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.pos++
		if c := s.peek(); c == '+' || c == '-' {
			s.pos++
		}
		if !s.digits() {
			return s.broken("not JSON: want digits in the exponent")
		}
	}
	if _, err := strconv.ParseFloat(string(s.data[start:s.pos]), 64); err != nil {
		return s.flaw("is a number out of range")
	}
	return true
}

func (s *scanner) digits() bool {
	start := s.pos
	for '0' <= s.peek() && s.peek() <= '9' {
		s.pos++
	}
	return s.pos > start
}

// text reads a string and returns what stands between its quotes, and whether it has escapes.
func (s *scanner) text() (raw []byte, escaped, ok bool) {
	s.pos++
	start, flaw := s.pos, ""
	for s.pos < len(s.data) {
		switch c := s.data[s.pos]; {
		case c == '"':
			raw = s.data[start:s.pos]
			s.pos++
			if flaw != "" {
				return nil, false, s.flaw(flaw)
			}
			return raw, escaped, true
		case c < ' ':
			return nil, false, s.broken("not JSON: a control character in a text must be escaped")
		case c == '\\':
			escaped = true
			why, known := s.escape()
			if !known {
				return nil, false, s.broken("not JSON: an escape that JSON does not know")
			}
			flaw = cmp.Or(flaw, why)
		case c < utf8.RuneSelf:
			s.pos++
		default:
			r, n := utf8.DecodeRune(s.data[s.pos:])
			if r == utf8.RuneError && n == 1 {
				flaw = cmp.Or(flaw, "is not valid UTF-8")
			}
			s.pos += n
		}
	}
	return nil, false, s.broken("not JSON: a text does not end")
}

// key reads a key, without its escapes, so that equal keys are equal bytes. A key with a flaw is nil.
func (s *scanner) key() ([]byte, bool) {
	start := s.pos
	raw, escaped, ok := s.text()
	if !ok || !escaped {
		return raw, ok
	}
	var plain string
	if err := json.Unmarshal(s.data[start:s.pos], &plain); err != nil {
		return nil, s.broken("not JSON")
	}
	return []byte(plain), true
}

// escape reads one escape. It returns what is wrong with the character it stands for, and whether JSON knows it.
func (s *scanner) escape() (why string, known bool) {
	if s.pos+1 < len(s.data) && s.data[s.pos+1] != 'u' {
		known = strings.IndexByte(`"\/bfnrt`, s.data[s.pos+1]) >= 0
		s.pos += 2
		return "", known
	}
	r := s.hex()
	if r < 0 {
		return "", false
	}
	s.pos += 6
	switch {
	case r == 0:
		return "contains NUL", true
	case 0xD800 <= r && r < 0xDC00:
		if low := s.hex(); 0xDC00 <= low && low < 0xE000 {
			s.pos += 6
			return "", true
		}
		return "contains half of a surrogate pair", true
	case 0xDC00 <= r && r < 0xE000:
		return "contains half of a surrogate pair", true
	default:
		return "", true
	}
}

// hex returns the number of the \uXXXX that comes next, or -1.
func (s *scanner) hex() int {
	if len(s.data)-s.pos < 6 || s.data[s.pos] != '\\' || s.data[s.pos+1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(s.data[s.pos+2:s.pos+6]), 16, 16)
	if err != nil {
		return -1
	}
	return int(n)
}

// keySet holds the keys of one object: a few in a row, many in a map.
type keySet struct {
	few  [][]byte
	many map[string]bool
}

// add reports whether the key is new.
func (k *keySet) add(key []byte) bool {
	if k.many != nil {
		known := k.many[string(key)]
		k.many[string(key)] = true
		return !known
	}
	for _, known := range k.few {
		if bytes.Equal(known, key) {
			return false
		}
	}
	k.few = append(k.few, key)
	if len(k.few) > 16 {
		k.many = make(map[string]bool, 2*len(k.few))
		for _, known := range k.few {
			k.many[string(known)] = true
		}
	}
	return true
}

// textFlaw says what is wrong with a text that came outside of JSON, "" if nothing is.
func textFlaw(s string) string {
	switch {
	case !utf8.ValidString(s):
		return "is not valid UTF-8"
	case strings.IndexByte(s, 0) >= 0:
		return "contains NUL"
	default:
		return ""
	}
}
