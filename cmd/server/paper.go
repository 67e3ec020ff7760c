package main

import (
	"fmt"
	"io"
	"os"
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

// chart draws the windows of a slot below each other, one line an object, in months from the first window's begin.
func (p *paper) chart(windows []fact, until time.Time) {
	if len(windows) == 0 || windows[0].ValidFrom == nil {
		return
	}
	const columns = 4 // a month
	first := month(*windows[0].ValidFrom)
	column := func(t time.Time) int {
		days := t.Sub(month(t)).Hours() / 24
		return columns*(12*(t.Year()-first.Year())+int(t.Month())-int(first.Month())) + int(days*columns/31)
	}
	width := column(until) + columns
	scale := []rune(strings.Repeat(" ", width+8))
	for m := first; !m.After(until); m = m.AddDate(0, 1, 0) {
		name := m.Format("Jan")
		if m.Equal(first) {
			name = m.Format("Jan") // the year stands in the title
		}
		copy(scale[column(m):], []rune(name))
	}
	p.printf("  %s  %s\n", pad("", 8), p.dim(strings.TrimRight(string(scale), " ")))
	var names []string
	lines := map[string][]rune{}
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
		line := lines[name]
		for i := from; i < to; i++ {
			line[i] = '='
		}
		line[from], line[to] = '|', end
	}
	for _, name := range names {
		p.printf("  %s  %s\n", pad(name, 8), strings.TrimRight(string(lines[name]), " "))
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
