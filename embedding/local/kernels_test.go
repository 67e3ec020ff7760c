package local

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The rows of the model, the shortest there can be, and some between.
var rowLengths = []int{64, 128, 192, width, inner}

func each(t *testing.T, f func(t *testing.T, k kernels, r *rand.Rand)) {
	for _, k := range available() {
		t.Run(k.name, func(t *testing.T) {
			const seed = 7
			f(t, k, rand.New(rand.NewPCG(seed, 0)))
		})
	}
}

func TestDotOfBytesIsExact(t *testing.T) {
	random := func(bound int) func(r *rand.Rand) (uint8, int8) {
		return func(r *rand.Rand) (uint8, int8) { return uint8(r.UintN(256)), int8(r.IntN(2*bound+1) - bound) }
	}
	always := func(x uint8, w int8) func(*rand.Rand) (uint8, int8) {
		return func(*rand.Rand) (uint8, int8) { return x, w }
	}
	const half = maxWeight / 2 // four such products fit in 16 bits
	fills := map[string]func(*rand.Rand) (uint8, int8){
		"any": random(maxWeight), "small": random(half),
		"largest": always(math.MaxUint8, maxWeight), "least": always(math.MaxUint8, -maxWeight), "zero": always(0, -maxWeight),
		"largest small": always(math.MaxUint8, half), "least small": always(math.MaxUint8, -half),
		"extremes": func(r *rand.Rand) (uint8, int8) {
			return uint8(r.UintN(2) * 255), int8(r.IntN(2)*2*maxWeight - maxWeight)
		},
	}
	each(t, func(t *testing.T, k kernels, r *rand.Rand) {
		for _, fill := range fills {
			for _, n := range rowLengths {
				for _, rows := range []int{1, 2, 5} {
					x, w := make([]uint8, rows*n), make([]int8, 4*n)
					for i := range x {
						x[i], _ = fill(r)
					}
					for i := range w {
						_, w[i] = fill(r)
					}
					checkDot(t, k, x, w)
				}
			}
		}
	})
}

// checkDot compares dot with a plain sum, at all steps that the weights allow, and looks at what lies between the sums.
func checkDot(t *testing.T, k kernels, x []uint8, w []int8) {
	const stride, untouched = 7, -12345
	cols := len(w) / 4
	rows := len(x) / cols
	want := slices.Repeat([]int32{untouched}, rows*stride)
	for i := range rows {
		for j := range 4 {
			want[i*stride+j] = 0
			for c, v := range x[i*cols : (i+1)*cols] {
				want[i*stride+j] += (int32(v) - k.offset) * int32(w[j*cols+c])
			}
		}
	}
	for _, d := range append(steps, 0) {
		if d != 0 && (cols%(2*d) != 0 || !foursFit(w, d)) {
			continue
		}
		got := slices.Repeat([]int32{untouched}, rows*stride)
		if k.dot(x, w, d, got, stride); !slices.Equal(got, want) {
			t.Errorf("%d rows of %d bytes, step %d: %v, want %v", rows, cols, d, got, want)
		}
	}
}

func TestAStepIsGivenWhereFourProductsFit(t *testing.T) {
	const cols = 384
	rows := func(at map[int]int8) []int8 {
		w := make([]int8, 4*cols)
		for i, v := range at {
			w[i] = v
		}
		return w
	}
	for name, c := range map[string]struct {
		rows []int8
		want uint8
	}{
		"small":            {slices.Repeat([]int8{32, -32}, 2*cols), 32},
		"at the bound":     {rows(map[int]int8{0: 64, 1: 32, 32: 31, 33: 1}), 32},
		"beyond it":        {rows(map[int]int8{0: 64, 1: 32, 32: 32, 33: 1}), 64},
		"negative":         {rows(map[int]int8{3*cols + 64: -64, 3*cols + 96: -64, 3*cols + 97: -1}), 64},
		"signs cancel":     {rows(map[int]int8{0: 64, 1: -64, 32: 64, 33: -64}), 32},
		"not near":         {rows(map[int]int8{0: 64, 1: 64, 32: 1, 64: 1}), 96},
		"only far":         {rows(map[int]int8{0: 64, 1: 64, 32: 1, 64: 1, 96: 1}), 192},
		"nowhere":          {slices.Repeat([]int8{64}, 4*cols), 0},
		"not of one pair":  {rows(map[int]int8{1: 64, 2: 64, 33: 64, 34: 64}), 32},
		"not across a row": {rows(map[int]int8{cols - 2: 64, cols - 1: 64, cols: 64}), 32},
	} {
		if got := step(c.rows, cols); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestDequantiseRoundsEachStep(t *testing.T) {
	each(t, func(t *testing.T, k kernels, r *rand.Rand) {
		for _, n := range []int{8, 16, 384, 1152} {
			sums, totals := make([]int32, n), make([]int32, n)
			for i := range sums {
				sums[i], totals[i] = r.Int32N(1<<26)-1<<25, r.Int32N(1<<17)-1<<16
			}
			scales, bias := floats(r, n), floats(r, n)
			got, want := make([]float32, n), make([]float32, n)
			dequantisePortable(want, sums, totals, scales, bias, 77, 0.0123)
			if k.dequantise(got, sums, totals, scales, bias, 77, 0.0123); !slices.Equal(got, want) {
				t.Errorf("%d sums: %v, want %v", n, got[:8], want[:8])
			}
		}
	})
}

func TestDotOfFloatsHasOneOrder(t *testing.T) {
	each(t, func(t *testing.T, k kernels, r *rand.Rand) {
		for _, n := range []int{8, 16, 24, headWidth, 256} {
			x, w := floats(r, 2*n), floats(r, 4*n)
			var got, want [8]float32
			for i := range want {
				var sums [8]float32
				for j, v := range x[i/4*n:][:n] {
					sums[j%8] += float32(v * w[i%4*n+j])
				}
				want[i] = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]))
			}
			if k.dotFloats(x[:n], x[n:], w, &got); got != want {
				t.Errorf("%d floats: %v, want %v", n, got, want)
			}
		}
	})
}

func TestBoundsAreTheLeastAndTheLargest(t *testing.T) {
	each(t, func(t *testing.T, k kernels, r *rand.Rand) {
		for _, n := range rowLengths {
			for at := range n { // wherever they are
				row := make([]float32, n)
				for i := range row {
					row[i] = float32(r.IntN(100))
				}
				row[at], row[(at+n/2)%n] = -1, 1000
				if low, high := k.bounds(row); low != -1 || high != 1000 {
					t.Fatalf("%d floats, at %d: %v and %v", n, at, low, high)
				}
			}
		}
	})
}

func TestQuantiseRoundsToEvenAndSaturates(t *testing.T) {
	each(t, func(t *testing.T, k kernels, r *rand.Rand) {
		for _, n := range rowLengths {
			row := floats(r, n)
			copy(row, []float32{0.5, 1.5, 2.5, -0.5, 254.5, 255.5, 300, -300, 1e6, -1e6, 0, 254.49999, 0.49999997})
			for _, scale := range []float32{1, 12.7} {
				got, want := make([]uint8, n), make([]uint8, n)
				quantisePortable(row, want, scale, 3)
				if k.quantise(row, got, scale, 3); !slices.Equal(got, want) {
					t.Errorf("%d floats by %v: %v, want %v", n, scale, got[:16], want[:16])
				}
			}
		}
	})
	row, got := make([]float32, 16), make([]uint8, 16)
	copy(row, []float32{0.5, 1.5, 2.5, 254.5, 255.5, -3, 300})
	if quantisePortable(row, got, 1, 0); !slices.Equal(got[:7], []uint8{0, 2, 2, 254, 255, 0, 255}) {
		t.Errorf("%v", got)
	}
}

func TestMultiplyIsTheProductOfNumbers(t *testing.T) {
	each(t, func(t *testing.T, k kernels, r *rand.Rand) {
		const rows, cols = 8, 64
		w := matrix{rows: rows, cols: cols, weights: make([]int8, rows*cols), scales: floats(r, rows), bias: floats(r, rows), sums: make([]int32, rows), steps: make([]uint8, rows/4)}
		for i := range w.weights {
			w.weights[i] = int8(r.IntN(2*maxWeight+1) - maxWeight)
			w.sums[i/cols] += int32(w.weights[i])
		}
		for _, n := range []int{1, 2, 31, 32, 33, 65} { // odd, and around a block
			x := floats(r, n*cols)
			var a activations
			a.set(x, cols, &k)
			out := make([]float32, n*rows)
			k.multiply(&w, &a, out)
			for i := range n {
				for j := range rows {
					var want, size float64
					for c, v := range x[i*cols : (i+1)*cols] {
						p := float64(v) * float64(w.weights[j*cols+c]) * float64(w.scales[j])
						want, size = want+p, size+math.Abs(p)
					}
					want += float64(w.bias[j])
					if got := float64(out[i*rows+j]); math.Abs(got-want) > 0.02*size+1e-4 {
						t.Fatalf("%d rows: [%d][%d] = %v, want %v", n, i, j, got, want)
					}
				}
			}
		}
	})
}

func TestGELUAndExpAreNearTheFunctions(t *testing.T) {
	table := newGELUTable()
	for x := -12.0; x <= 12; x += 0.00137 {
		v := []float32{float32(x)}
		table.apply(v)
		if want := x * 0.5 * math.Erfc(-x/math.Sqrt2); math.Abs(float64(v[0])-want) > 3e-6 {
			t.Fatalf("gelu(%v) = %v, want %v", x, v[0], want)
		}
	}
	for x := float32(0); x > -87; x -= 0.0137 {
		if got, want := float64(exp(x)), math.Exp(float64(x)); math.Abs(got/want-1) > 4e-7 {
			t.Fatalf("exp(%v) = %v, want %v", x, got, want)
		}
	}
	if got := exp(-1000); got != 0 {
		t.Errorf("exp(-1000) = %v", got)
	}
}

func floats(r *rand.Rand, n int) []float32 {
	f := make([]float32, n)
	for i := range f {
		f[i] = float32(r.NormFloat64())
	}
	return f
}
