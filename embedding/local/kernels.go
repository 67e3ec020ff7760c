package local

import (
	"math"
	"unsafe"
)

// kernels are the loops that take nearly all the time. Those of every processor give the results of the portable ones,
// to the bit.
type kernels struct {
	name string
	// dot writes the dot products of each row of bytes in x with the four rows of weights in w: sums[i·stride+j] is that of row i
	// with row j. The length of a row is a multiple of 64. Each byte counts less the offset. What step says of w may be made use of.
	dot func(x []uint8, w []int8, step int, sums []int32, stride int)
	// offset is what dot takes off the unsigned bytes: 128 where the processor can multiply only signed ones.
	offset int32
	// dequantise writes the numbers that sums stand for over them: out is of the same memory. Element i becomes
	// (sums[i] − zero·totals[i])·(scale·scales[i]) + bias[i], each step rounded. The length is a multiple of 8.
	dequantise func(out []float32, sums, totals []int32, scales, bias []float32, zero int32, scale float32)
	// dotFloats is dot of floats: out[4i+j] is that of row i with row j of w. The length of a row is a multiple of lanes. Each
	// product is rounded before it is added, element i to partial sum i mod 8; the sum is ((0+1)+(2+3)) + ((4+5)+(6+7)).
	dotFloats func(x0, x1, w []float32, out *[8]float32)
	// bounds returns the least and the largest of a row; its length is a multiple of 16.
	bounds func(row []float32) (low, high float32)
	// quantise writes row·inverse + zero as the nearest byte, ties to even; the length is a multiple of 16.
	quantise func(row []float32, out []uint8, inverse, zero float32)
}

// lanes is the number of partial sums of floats.
const lanes = 8

// portable returns the kernels that every processor has.
func portable() kernels {
	return kernels{
		name: "portable", dot: dotPortable, dequantise: dequantisePortable, dotFloats: dotFloatsPortable,
		bounds: boundsPortable, quantise: quantisePortable,
	}
}

// multiply writes w·x + bias of each row x. It takes as many tokens through all of the weights as the nearest caches hold.
func (k *kernels) multiply(w *matrix, x *activations, out []float32) {
	const block = 32
	sums := unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(out))), len(out))
	for from := 0; from < x.rows; from += block {
		to := min(from+block, x.rows)
		tokens := x.bytes[from*x.cols : to*x.cols]
		for r := 0; r < w.rows; r += 4 {
			k.dot(tokens, w.weights[r*w.cols:(r+4)*w.cols], int(w.steps[r/4]), sums[from*w.rows+r:], w.rows)
		}
		for i := from; i < to; i++ {
			start, end := i*w.rows, (i+1)*w.rows
			k.dequantise(out[start:end], sums[start:end], w.sums, w.scales, w.bias, x.zeros[i]-k.offset, x.scales[i])
		}
	}
}

// multiplyFloats writes the dot product of row i of x with row j of w to out[i·stride+j]. Rows have cols elements;
// w has a multiple of four of them.
func (k *kernels) multiplyFloats(x, w []float32, cols int, out []float32, stride int, tile *[8]float32) {
	rows := len(x) / cols
	for i := 0; i < rows; i += 2 {
		next := min(i+1, rows-1)
		x0, x1 := x[i*cols:(i+1)*cols], x[next*cols:(next+1)*cols]
		for j := 0; j < len(w)/cols; j += 4 {
			k.dotFloats(x0, x1, w[j*cols:(j+4)*cols], tile)
			copy(out[i*stride+j:], tile[:4])
			copy(out[next*stride+j:], tile[4:])
		}
	}
}

func dotPortable(x []uint8, w []int8, _ int, sums []int32, stride int) {
	cols := len(w) / 4
	for i := range len(x) / cols {
		row := x[i*cols : (i+1)*cols]
		for j := range 4 {
			weights := w[j*cols : (j+1)*cols][:len(row)]
			var even, odd int32
			for c := 0; c+1 < len(row); c += 2 {
				even += int32(row[c]) * int32(weights[c])
				odd += int32(row[c+1]) * int32(weights[c+1])
			}
			sums[i*stride+j] = even + odd
		}
	}
}

func dequantisePortable(out []float32, sums, totals []int32, scales, bias []float32, zero int32, scale float32) {
	n := len(out)
	sums, totals, scales, bias = sums[:n], totals[:n], scales[:n], bias[:n]
	for i := range out {
		out[i] = float32(float32(sums[i]-zero*totals[i])*float32(scale*scales[i])) + bias[i]
	}
}

func dotFloatsPortable(x0, x1, w []float32, out *[8]float32) {
	n := len(x0)
	for j := range 4 {
		row := w[j*n : (j+1)*n]
		out[j], out[4+j] = dotLanes(x0, row), dotLanes(x1, row)
	}
}

func dotLanes(x, y []float32) float32 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	for len(x) >= lanes && len(y) >= lanes {
		s0 += float32(x[0] * y[0])
		s1 += float32(x[1] * y[1])
		s2 += float32(x[2] * y[2])
		s3 += float32(x[3] * y[3])
		s4 += float32(x[4] * y[4])
		s5 += float32(x[5] * y[5])
		s6 += float32(x[6] * y[6])
		s7 += float32(x[7] * y[7])
		x, y = x[lanes:], y[lanes:]
	}
	return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
}

func boundsPortable(row []float32) (low, high float32) {
	low, high = row[0], row[0]
	for _, v := range row {
		low, high = min(low, v), max(high, v)
	}
	return low, high
}

func quantisePortable(row []float32, out []uint8, inverse, zero float32) {
	out = out[:len(row)]
	for i, v := range row {
		near := math.RoundToEven(float64(float32(v*inverse) + zero))
		out[i] = uint8(max(0, min(math.MaxUint8, near)))
	}
}
