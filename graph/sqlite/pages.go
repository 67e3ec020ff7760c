package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
)

// tidy zeroes what is allocated to nothing in the pages of the file. SQLite overwrites a row that is deleted (secure_delete), but
// not the copies it leaves behind where it once moved rows from one page to another: they stand in the gap of a page until
// something new is put there. tidy is part of a transaction that destroys, so that what is committed holds no trace of it.
//
// It reads every page: an erase takes as long as the file is large, the first one longer.
func tidy(ctx context.Context, db *session) error {
	var untidy []int
	if err := db.each(ctx, pageList, func(row scanner) error {
		var number int
		var content sql.RawBytes
		if err := row.Scan(&number, &content); err != nil {
			return err
		}
		if clean(number, content) {
			untidy = append(untidy, number)
		}
		return nil
	}); err != nil {
		return err
	}
	for _, number := range untidy {
		var content []byte
		if err := db.row(ctx, "page", pageGet, []any{&content}, arg("page", number)); err != nil {
			return err
		}
		if !clean(number, content) {
			continue
		}
		if _, err := db.exec(ctx, pagePut, arg("page", number), arg("content", content)); err != nil {
			return err
		}
	}
	return nil
}

// The parts of the file format (sqlite.org/fileformat2.html) that clean reads.
const (
	fileHeader     = 100 // bytes before the first page's own header
	interiorHeader = 12
	leafHeader     = 8
	// Above this number of a page, pages that are no part of a tree can look as if they were: they begin with the number of another.
	maxPage = 1 << 25
)

// clean zeroes what is allocated to nothing in a page of a tree, and reports whether there was something.
func clean(number int, content []byte) (changed bool) {
	start := 0
	if number == 1 {
		start = fileHeader
	}
	if len(content) < start+interiorHeader || number >= maxPage {
		return false
	}
	header := content[start:]
	size := leafHeader
	switch header[0] {
	case 2, 5: // interior page of an index, of a table
		size = interiorHeader
	case 10, 13: // leaf page of an index, of a table
	default:
		return false // it continues a long row, or is free: then secure_delete has zeroed it
	}
	at := func(i int) int { return int(binary.BigEndian.Uint16(content[i:])) }
	cells, first := at(start+3), at(start+5)
	if first == 0 {
		first = 1 << 16
	}
	gap := start + size + 2*cells
	if gap > first || first > len(content) {
		return false // it is not what it seems
	}
	changed = zero(content[gap:first])
	for block, last := at(start+1), 0; block > last && block+4 <= len(content); last, block = block, at(block) {
		if end := block + at(block+2); end >= block+4 && end <= len(content) {
			changed = zero(content[block+4:end]) || changed
		}
	}
	return changed
}

// zero zeroes bytes and reports whether they were not all zero before.
func zero(part []byte) (changed bool) {
	for i, b := range part {
		if b != 0 {
			clear(part[i:])
			return true
		}
	}
	return false
}
