package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// paper is what a transcript is written on. It keeps the first error of its writer.
type paper struct {
	w       io.Writer
	colours bool
	err     error
}

// newPaper returns a paper that is coloured on a terminal, unless NO_COLOR says otherwise (no-color.org).
func newPaper(w io.Writer, getenv func(string) string) *paper {
	p := &paper{w: w}
	if f, ok := w.(*os.File); ok && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb" {
		info, err := f.Stat()
		p.colours = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return p
}

// printf writes.
func (p *paper) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

// title begins a part.
func (p *paper) title(name, note string) {
	p.printf("\n%s  %s\n", p.bold(name), p.dim(note))
}

func (p *paper) paint(code, text string) string {
	if !p.colours || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (p *paper) bold(text string) string  { return p.paint("1", text) }
func (p *paper) dim(text string) string   { return p.paint("2", text) }
func (p *paper) red(text string) string   { return p.paint("31", text) }
func (p *paper) green(text string) string { return p.paint("32", text) }

// pad fills text with spaces to a width, counted in characters.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-len([]rune(text))))
}

// chart draws the windows of a slot, one line an object, with a scale of months. Of an unknown begin it knows no place.
func (p *paper) chart(windows []fact, until time.Time) {
	windows = slices.DeleteFunc(slices.Clone(windows), func(f fact) bool { return f.ValidFrom == nil })
	if len(windows) == 0 {
		return
	}
	const columns, margin = 4, 8 // a month has 4 columns: a mark for each week or so
	first := month(*windows[0].ValidFrom)
	column := func(t time.Time) int {
		months := 12*(t.Year()-first.Year()) + int(t.Month()) - int(first.Month())
		return columns*months + (t.Day()-1)*columns/31
	}
	width := column(until) + columns
	var scale strings.Builder
	for m := first; !m.After(until); m = m.AddDate(0, 1, 0) {
		scale.WriteString(pad(m.Format("Jan"), columns))
	}
	p.printf("  %s  %s\n", pad("", margin), p.dim(strings.TrimSpace(scale.String())))
	lines := map[string][]rune{}
	var names []string
	for _, w := range windows {
		name := w.Object.Name
		if lines[name] == nil {
			names = append(names, name)
			lines[name] = []rune(strings.Repeat(" ", width+1))
		}
		from, to, end := column(*w.ValidFrom), width, '>'
		if w.ValidTo != nil {
			to, end = column(*w.ValidTo), '|'
		}
		copy(lines[name][from:], []rune("|"+strings.Repeat("=", max(0, to-from-1))+string(end)))
	}
	for _, name := range names {
		p.printf("  %s  %s\n", pad(name, margin), strings.TrimRight(string(lines[name]), " "))
	}
}

func month(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC) }

// window says when a fact holds, as far as it is known.
func window(f fact) string {
	switch {
	case f.ValidFrom == nil && f.ValidTo == nil:
		return "at all times known"
	case f.ValidFrom == nil:
		return "until " + day(f.ValidTo)
	case f.ValidTo == nil:
		return "since " + day(f.ValidFrom)
	}
	return day(f.ValidFrom) + " to " + day(f.ValidTo)
}

func day(t *time.Time) string { return t.UTC().Format(time.DateOnly) }
