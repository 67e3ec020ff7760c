package ingest

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"tenure/graph"
	"tenure/temporal"
)

// The sizes of the contract.
const (
	maxItems     = 1000
	maxName      = 512      // characters
	maxStatement = 16 << 10 // bytes
	maxText      = 1 << 20  // bytes
	maxMetadata  = 64 << 10 // bytes
	maxID        = 128      // characters
	maxReason    = 16 << 10 // bytes
)

// predicateName is what a predicate may be called.
var predicateName = regexp.MustCompile(`^[A-Za-z0-9_.:/-]{1,128}$`)

// checks collects every fault of a request.
type checks struct{ faults []error }

func (c *checks) add(field, problem string) {
	c.faults = append(c.faults, graph.Invalid(field, "%s", problem))
}

func (c *checks) err() error { return errors.Join(c.faults...) }

// index names an item of a list.
func index(list string, i int) string { return list + "[" + strconv.Itoa(i) + "]" }

// named checks an entity's name, kind and id. Literals may be as long as statements.
func (c *checks) named(field string, n graph.Named) {
	if n.ID != "" {
		if utf8.RuneCountInString(string(n.ID)) > maxID {
			c.add(field+".id", "want at most 128 characters")
		}
		if n.Name == "" {
			return
		}
	}
	if utf8.RuneCountInString(n.Kind) > 64 || strings.ContainsFunc(n.Kind, unicode.IsControl) {
		c.add(field+".kind", "want at most 64 characters, none of them a control character")
	}
	switch {
	case strings.TrimSpace(n.Name) == "":
		c.add(field, "want a name")
	case n.Kind == graph.KindValue:
		if len(n.Name) > maxStatement {
			c.add(field, "want at most 16 KiB")
		}
	case utf8.RuneCountInString(n.Name) > maxName:
		c.add(field, "want at most 512 characters")
	}
}

// date reads a time that may be partial; "" is absent.
func (c *checks) date(field, s string, zone *time.Location) temporal.Date {
	if s == "" {
		return temporal.Date{}
	}
	d, err := temporal.ParseDate(s, zone)
	if err != nil {
		c.add(field, err.Error())
	}
	if d.Precision == temporal.Exact {
		d.Precision = "" // an exact time needs no word
	}
	return d
}

// id checks an id that the caller chose.
func (c *checks) id(field, id string) {
	if n := utf8.RuneCountInString(id); n < 1 || n > maxID || strings.ContainsRune(id, 0) || !utf8.ValidString(id) {
		c.add(field, "want 1 to 128 characters")
	}
}

// text checks the length of a text in bytes.
func (c *checks) text(field, s string, limit int) {
	if len(s) > limit {
		c.add(field, "want at most "+strconv.Itoa(limit>>10)+" KiB")
	}
}

// need reads a time that must be there.
func (c *checks) need(field, s string, zone *time.Location) temporal.Date {
	if s == "" {
		c.add(field, "want a time")
	}
	return c.date(field, s, zone)
}
