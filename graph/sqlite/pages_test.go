package sqlite

import (
	"bytes"
	"encoding/binary"
	"testing"
)

func TestCleanZeroesWhatIsAllocatedToNothing(t *testing.T) {
	// A leaf of an index with one cell of six bytes at its end, and a freed block of eight before it.
	page := bytes.Repeat([]byte{0xaa}, 64)
	page[0] = 10
	binary.BigEndian.PutUint16(page[1:], 50) // the first free block
	binary.BigEndian.PutUint16(page[3:], 1)  // cells
	binary.BigEndian.PutUint16(page[5:], 50) // where their content begins
	binary.BigEndian.PutUint16(page[8:], 58) // the cell
	binary.BigEndian.PutUint16(page[50:], 0) // no further block
	binary.BigEndian.PutUint16(page[52:], 8) // of eight bytes
	want := bytes.Clone(page)
	clear(want[10:50])
	clear(want[54:58])
	if !clean(2, page) || !bytes.Equal(page, want) {
		t.Errorf("got  %x\nwant %x", page, want)
	}
	if clean(2, page) {
		t.Error("a clean page is not clean")
	}
}

func FuzzClean(f *testing.F) {
	f.Add(1, make([]byte, 4096))
	f.Add(2, bytes.Repeat([]byte{10, 0, 1}, 1024))
	f.Add(3, bytes.Repeat([]byte{13, 0}, 512))
	f.Fuzz(func(t *testing.T, number int, page []byte) {
		before := bytes.Clone(page)
		if changed := clean(number, page); changed == bytes.Equal(before, page) {
			t.Error("it does not say truly whether it changed the page")
		}
		if clean(number, page) {
			t.Error("it finds something to do in a page that it has cleaned")
		}
	})
}
