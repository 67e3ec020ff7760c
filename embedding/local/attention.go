package local

import "math"

// attentionScratch is the memory for one head of one text, each part rows padded to a multiple of lanes.
type attentionScratch struct {
	queries, keys, values, scores []float32
	tile                          [8]float32
}

// attend writes, for each token of each text, the values of the text's tokens weighted by softmax(query·key/√headWidth),
// head by head. A row of projected is the queries of all heads, their keys, their values.
func (k *kernels) attend(projected []float32, sizes []int, out []float32, s *attentionScratch) {
	for _, size := range sizes {
		padded := (size + lanes - 1) / lanes * lanes
		s.queries, s.keys = resized(s.queries, size*headWidth), resized(s.keys, padded*headWidth)
		s.values, s.scores = resized(s.values, headWidth*padded), resized(s.scores, size*padded)
		clear(s.keys[size*headWidth:])
		clear(s.values)
		for head := range heads {
			s.split(projected, head, padded)
			k.multiplyFloats(s.queries, s.keys, headWidth, s.scores, padded, &s.tile)
			for i := range size {
				softmax(s.scores[i*padded:(i+1)*padded], size)
			}
			k.multiplyFloats(s.scores, s.values, padded, out[head*headWidth:], width, &s.tile)
		}
		projected, out = projected[size*3*width:], out[size*width:]
	}
}

// split takes the part of one head out of the projected tokens of a text: queries, scaled, and keys by row,
// values by column, so that both products are of rows with rows.
func (s *attentionScratch) split(projected []float32, head, padded int) {
	scale := float32(1 / math.Sqrt(headWidth))
	for i := range len(s.queries) / headWidth {
		row := projected[i*3*width+head*headWidth:]
		query := s.queries[i*headWidth : (i+1)*headWidth]
		for c, v := range row[:headWidth] {
			query[c] = v * scale
		}
		copy(s.keys[i*headWidth:], row[width:width+headWidth])
		for c, v := range row[2*width : 2*width+headWidth] {
			s.values[c*padded+i] = v
		}
	}
}

// softmax turns the first n scores of a row into weights that sum to 1, and what pads it into 0.
func softmax(row []float32, n int) {
	clear(row[n:])
	row = row[:n]
	high := row[0]
	for _, v := range row {
		high = max(high, v)
	}
	var sum float32
	for i, v := range row {
		row[i] = exp(v - high)
		sum += row[i]
	}
	inverse := 1 / sum
	for i := range row {
		row[i] *= inverse
	}
}

// exp returns eˣ of an x that is not above 0, with a relative error near 2e-7: 2ⁿ times a polynomial, as expf of the Cephes
// library (S. Moshier) has it. The standard library's differs between processors.
func exp(x float32) float32 {
	const (
		log2e    = 1.44269504
		ln2High  = 0.693359375
		ln2Low   = -2.12194440e-4
		smallest = -87 // eˣ below is no normal number
		bias     = 127 // of a float's exponent
		mantissa = 23  // bits
	)
	if x < smallest {
		return 0
	}
	n := int32(float32(x*log2e) - 0.5)
	f := float32(x-float32(float32(n)*ln2High)) - float32(float32(n)*ln2Low)
	p := float32(1.9875691500e-4)
	p = float32(p*f) + 1.3981999507e-3
	p = float32(p*f) + 8.3334519073e-3
	p = float32(p*f) + 4.1665795894e-2
	p = float32(p*f) + 1.6666665459e-1
	p = float32(p*f) + 5.0000001201e-1
	p = float32(float32(p*f)*f) + f + 1
	return p * math.Float32frombits(uint32(n+bias)<<mantissa)
}
