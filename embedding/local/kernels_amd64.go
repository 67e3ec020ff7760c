package local

import "golang.org/x/sys/cpu"

// available returns the kernels that the processor has, the fastest first. There are none for VNNI, which does in one instruction
// what dot does in three: they wait for a processor to test and time them on.
func available() []kernels {
	all := []kernels{portable()}
	if cpu.X86.HasAVX2 {
		avx2 := kernels{
			name: "AVX2", dot: dotAVX2, dequantise: dequantiseAVX2, dotFloats: dotFloatsAVX2,
			bounds: boundsAVX2, quantise: quantiseAVX2,
		}
		all = append([]kernels{avx2}, all...)
	}
	return all
}

func dotAVX2(x []uint8, w []int8, step int, sums []int32, stride int) {
	if step == 0 {
		dotEachAVX2(x, w, sums, stride)
	} else {
		dotPairsAVX2(x, w, step, sums, stride)
	}
}

//go:noescape
func dotEachAVX2(x []uint8, w []int8, sums []int32, stride int)

//go:noescape
func dotPairsAVX2(x []uint8, w []int8, step int, sums []int32, stride int)

//go:noescape
func dequantiseAVX2(out []float32, sums, totals []int32, scales, bias []float32, zero int32, scale float32)

//go:noescape
func dotFloatsAVX2(x0, x1, w []float32, out *[8]float32)

//go:noescape
func boundsAVX2(row []float32) (low, high float32)

//go:noescape
func quantiseAVX2(row []float32, out []uint8, inverse, zero float32)
