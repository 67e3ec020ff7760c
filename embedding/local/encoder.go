package local

import "math"

// The encoder is BERT's (Devlin et al. 2018, arXiv:1810.04805): attention, then a feed-forward part, each added to what went in
// and normalised. The vector of a text is the mean of those of its tokens (Reimers and Gurevych 2019, arXiv:1908.10084).
// Matrix products take unsigned bytes, each token with its own scale and zero point, times signed ones, each row with its scale.

// pack is texts that go through the encoder together, one after the other without padding.
type pack struct {
	ids   []int32     // the tokens of all
	sizes []int       // how many of them each text has
	into  [][]float32 // where the vector of each text goes, zero before
}

// add appends a text to the pack. One without tokens keeps its zeros.
func (p *pack) add(ids []int32, into []float32) {
	if len(ids) > 0 {
		p.ids, p.sizes, p.into = append(p.ids, ids...), append(p.sizes, len(ids)), append(p.into, into)
	}
}

// scratch is the memory of one pass, kept from one to the next.
type scratch struct {
	hidden, mixed, wide []float32
	input               activations
	attention           attentionScratch
}

// activations are the rows of floats that a matrix is applied to, as bytes: x = scale·(byte − zero).
type activations struct {
	rows, cols int
	bytes      []uint8
	scales     []float32 // by row
	zeros      []int32   // by row
}

// resized returns a slice of length n, the one given if it is large enough. Its contents are of no meaning.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n+n/4)[:n]
	}
	return s[:n]
}

// encode writes the vectors of a pack's texts and empties it.
func (m *Model) encode(p *pack, s *scratch) {
	n := len(p.ids)
	if n == 0 {
		return
	}
	s.hidden, s.mixed = resized(s.hidden, n*width), resized(s.mixed, n*width)
	s.wide = resized(s.wide, n*inner)
	m.weights.look(p, s.hidden)
	for i := range m.weights.layers {
		m.layer(&m.weights.layers[i], p.sizes, s)
	}
	rest := s.hidden
	for i, size := range p.sizes {
		mean(rest[:size*width], p.into[i])
		rest = rest[size*width:]
	}
	*p = pack{ids: p.ids[:0], sizes: p.sizes[:0], into: p.into[:0]}
}

// look writes what the tables say of each token and its position.
func (w *weights) look(p *pack, out []float32) {
	ids := p.ids
	for _, size := range p.sizes {
		for position, id := range ids[:size] {
			word, wordScale := w.words.row(int(id))
			place, placeScale := w.places.row(position)
			for i := range width {
				out[i] = float32(float32(word[i])*wordScale) + float32(float32(place[i])*placeScale)
			}
			w.embedded.apply(out[:width])
			out = out[width:]
		}
		ids = ids[size:]
	}
}

func (t *table) row(i int) ([]int8, float32) { return t.rows[i*width : (i+1)*width], t.scales[i] }

// layer takes s.hidden through one layer.
func (m *Model) layer(l *layer, sizes []int, s *scratch) {
	n := len(s.hidden) / width
	projected := s.wide[:n*3*width]
	m.linear(&l.queryKeyValue, s.hidden, projected, s)
	m.kernels.attend(projected, sizes, s.mixed, &s.attention)
	attended := s.wide[:n*width]
	m.linear(&l.attended, s.mixed, attended, s)
	l.afterAttended.applySum(s.hidden, attended)

	m.linear(&l.widen, s.hidden, s.wide, s)
	m.gelu.apply(s.wide)
	m.linear(&l.narrow, s.wide, s.mixed, s)
	l.afterNarrow.applySum(s.hidden, s.mixed)
}

// linear writes w·x + bias of each row x of in.
func (m *Model) linear(w *matrix, in, out []float32, s *scratch) {
	s.input.set(in, w.cols, &m.kernels)
	m.kernels.multiply(w, &s.input, out)
}

// set makes bytes of rows of floats. The range of a row is stretched to hold 0, so that 0 is exact.
func (a *activations) set(x []float32, cols int, k *kernels) {
	a.rows, a.cols = len(x)/cols, cols
	a.bytes = resized(a.bytes, len(x))
	a.scales, a.zeros = resized(a.scales, a.rows), resized(a.zeros, a.rows)
	for i := range a.rows {
		row := x[i*cols : (i+1)*cols]
		low, high := k.bounds(row)
		low, high = min(low, 0), max(high, 0)
		scale := (high - low) / math.MaxUint8
		if scale == 0 {
			scale = 1
		}
		zero := int32(-low/scale + 0.5)
		a.scales[i], a.zeros[i] = scale, zero
		k.quantise(row, a.bytes[i*cols:(i+1)*cols], 1/scale, float32(zero))
	}
}

// applySum adds y to x and normalises the rows.
func (n *normal) applySum(x, y []float32) {
	for len(x) > 0 {
		row, add := x[:width], y[:width]
		for i := range row {
			row[i] += add[i]
		}
		n.apply(row)
		x, y = x[width:], y[width:]
	}
}

// apply normalises a row to mean 0 and variance 1, then applies gain and bias.
func (n *normal) apply(row []float32) {
	const epsilon = 1e-12 // the model's
	row, gain, bias := row[:width], n.gain[:width], n.bias[:width]
	var sum float32
	for _, v := range row {
		sum += v
	}
	mean := sum / width
	var squares float32
	for _, v := range row {
		d := v - mean
		squares += float32(d * d)
	}
	inverse := float32(1 / math.Sqrt(float64(squares)/width+epsilon))
	for i, v := range row {
		row[i] = float32(float32((v-mean)*inverse)*gain[i]) + bias[i]
	}
}

// mean writes the mean of rows, at length 1, to v, which is zero before.
func mean(rows, v []float32) {
	for ; len(rows) > 0; rows = rows[width:] {
		for i, x := range rows[:width] {
			v[i] += x
		}
	}
	var squares float64
	for _, x := range v {
		squares += float64(float64(x) * float64(x))
	}
	if squares == 0 {
		return
	}
	inverse := float32(1 / math.Sqrt(squares))
	for i := range v {
		v[i] *= inverse
	}
}
