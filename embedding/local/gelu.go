package local

import "math"

const (
	geluRange = 6   // beyond it GELU is x above and 0 below, to within 1e-8
	geluSteps = 256 // a unit
)

// geluTable holds x·Φ(x), the GELU of Hendrycks and Gimpel (2016, arXiv:1606.08415), at steps over ±geluRange. Between them
// it is linear, with an error near 1e-6.
type geluTable [2*geluRange*geluSteps + 2]float32

func newGELUTable() *geluTable {
	var t geluTable
	for i := range t {
		x := float64(i)/geluSteps - geluRange
		t[i] = float32(x * 0.5 * math.Erfc(-x/math.Sqrt2))
	}
	return &t
}

// apply replaces each x by its GELU.
func (t *geluTable) apply(x []float32) {
	for i, v := range x {
		switch {
		case v >= geluRange:
		case v <= -geluRange:
			x[i] = 0
		default:
			at := (v + geluRange) * geluSteps
			step := int(at)
			low := t[step]
			x[i] = low + float32((at-float32(step))*(t[step+1]-low))
		}
	}
}
