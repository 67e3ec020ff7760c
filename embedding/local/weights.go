package local

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"unsafe"
)

//go:embed minilm/minilm.bin
var weightsFile string

//go:embed minilm/vocab.txt
var vocabularyFile string

// The shape of the model, and of others of its family, which differ in the number of layers.
const (
	width          = 384 // of the vector of a token
	heads          = 12  // of the attention
	headWidth      = width / heads
	inner          = 1536 // width inside the feed-forward part
	positions      = 512  // that have weights
	vocabularySize = 30522
)

// maxWeight bounds |weight|: two products with an unsigned byte then fit in 16 bits, so that no kernel saturates.
const maxWeight = 64

// weights is the model's file. The bytes of matrices and tables are those of the file, which for the embedded one
// are the read-only data of the binary: they are shared between processes and never copied.
type weights struct {
	words, places table // by token, by position
	embedded      normal
	layers        []layer
}

type layer struct {
	queryKeyValue matrix // the three stacked
	attended      matrix
	afterAttended normal
	widen, narrow matrix // the feed-forward part
	afterNarrow   normal
}

// table is rows of bytes, each with the scale that makes them numbers.
type table struct {
	rows   []int8
	scales []float32
}

// matrix is a linear map to rows from cols dimensions.
type matrix struct {
	rows, cols int
	weights    []int8 // row by row, |weight| ≤ maxWeight
	scales     []float32
	bias       []float32
	sums       []int32 // of each row's weights
	steps      []uint8 // of each four rows: see step
}

// normal is the gain and bias after a layer normalisation.
type normal struct{ gain, bias []float32 }

// parse reads a file that minilm/convert.py wrote, which has its layout.
func parse(file string) (*weights, error) {
	const magic, header = "BRT1", 16
	if len(file) < header || file[:len(magic)] != magic {
		return nil, fmt.Errorf("not a model: want it to begin with %q", magic)
	}
	r := reader{rest: file[len(magic):]}
	layers, bound, _ := r.uint32(), r.uint32(), r.uint32()
	if layers < 1 || layers > 48 {
		return nil, fmt.Errorf("%d layers", layers)
	}
	if bound > maxWeight {
		return nil, fmt.Errorf("weights up to %d, want at most %d", bound, maxWeight)
	}
	if want := header + sizeOf(int(layers)); len(file) != want {
		return nil, fmt.Errorf("%d bytes, want %d for %d layers", len(file), want, layers)
	}
	w := &weights{words: r.table(vocabularySize), places: r.table(positions), embedded: r.normal()}
	for range layers {
		w.layers = append(w.layers, layer{
			queryKeyValue: r.matrix(3*width, width),
			attended:      r.matrix(width, width),
			afterAttended: r.normal(),
			widen:         r.matrix(inner, width),
			narrow:        r.matrix(width, inner),
			afterNarrow:   r.normal(),
		})
	}
	if r.beyond {
		return nil, fmt.Errorf("a weight is beyond ±%d", maxWeight)
	}
	return w, nil
}

// sizeOf returns the bytes that follow the header of a model of some layers.
func sizeOf(layers int) int {
	const float = 4
	rows := func(n, cols int) int { return n * (float + cols) } // with their scales
	linear := func(n, cols int) int { return rows(n, cols) + n*float }
	const norm = 2 * width * float
	return rows(vocabularySize, width) + rows(positions, width) + norm +
		layers*(linear(3*width, width)+linear(width, width)+norm+linear(inner, width)+linear(width, inner)+norm)
}

// reader takes a file apart; its length was checked before.
type reader struct {
	rest   string
	beyond bool // whether a weight of a matrix is beyond maxWeight
}

func (r *reader) take(n int) string {
	part := r.rest[:n]
	r.rest = r.rest[n:]
	return part
}

func (r *reader) uint32() uint32 { return binary.LittleEndian.Uint32([]byte(r.take(4))) }

// floats copies numbers: they are few, and neither their place in the file nor their byte order is that of the machine.
func (r *reader) floats(n int) []float32 {
	f := make([]float32, n)
	for i := range f {
		f[i] = math.Float32frombits(r.uint32())
	}
	return f
}

// bytes returns the file's own bytes, which must not be written.
func (r *reader) bytes(n int) []int8 {
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.StringData(r.take(n)))), n)
}

func (r *reader) normal() normal { return normal{gain: r.floats(width), bias: r.floats(width)} }

func (r *reader) table(n int) table {
	return table{scales: r.floats(n), rows: r.bytes(n * width)}
}

func (r *reader) matrix(rows, cols int) matrix {
	m := matrix{rows: rows, cols: cols, scales: r.floats(rows), weights: r.bytes(rows * cols), sums: make([]int32, rows)}
	for i := range m.sums {
		var sum int32
		for _, w := range m.weights[i*cols : (i+1)*cols] {
			sum += int32(w)
			r.beyond = r.beyond || w > maxWeight || w < -maxWeight
		}
		m.sums[i] = sum
	}
	m.bias = r.floats(rows)
	for i := 0; i < rows; i += 4 {
		m.steps = append(m.steps, step(m.weights[i*cols:(i+4)*cols], cols))
	}
	return m
}

// steps are the distances that step tries.
var steps = []int{32, 64, 96, 192}

// step returns a distance at which, everywhere in some rows, two products with unsigned bytes and the two that lie so much
// further on fit in 16 bits together, so that a kernel may add them up there. Twice the distance divides a row.
// It is 0 if none of steps will do, which is rare in this model.
func step(rows []int8, cols int) uint8 {
	for _, d := range steps {
		if cols%(2*d) == 0 && foursFit(rows, d) {
			return uint8(d)
		}
	}
	return 0
}

// foursFit reports whether, of each two weights and the two d further on, neither the positive nor the negative ones add up to
// more than 128: 255·128 is less than 2¹⁵.
func foursFit(rows []int8, d int) bool {
	for ; len(rows) > 0; rows = rows[2*d:] {
		near, far := rows[:d], rows[d:2*d]
		for i := 0; i+1 < len(near) && i+1 < len(far); i += 2 {
			a, b, c, e := int32(near[i]), int32(near[i+1]), int32(far[i]), int32(far[i+1])
			if max(a, 0)+max(b, 0)+max(c, 0)+max(e, 0) > 128 || min(a, 0)+min(b, 0)+min(c, 0)+min(e, 0) < -128 {
				return false
			}
		}
	}
	return true
}
