package local

import "golang.org/x/sys/cpu"

// available returns the kernels that the processor has, the fastest first.
func available() []kernels {
	neon := kernels{
		name: "NEON", dot: dotNEON, offset: 128, dequantise: dequantiseNEON, dotFloats: dotFloatsNEON,
		bounds: boundsNEON, quantise: quantiseNEON,
	}
	all := []kernels{neon, portable()}
	if cpu.ARM64.HasASIMDDP {
		sdot := neon
		sdot.name, sdot.dot = "NEON with SDOT", dotSDOT
		all = append([]kernels{sdot}, all...)
	}
	return all
}

//go:noescape
func dotNEON(x []uint8, w []int8, step int, sums []int32, stride int)

//go:noescape
func dotSDOT(x []uint8, w []int8, step int, sums []int32, stride int)

//go:noescape
func dequantiseNEON(out []float32, sums, totals []int32, scales, bias []float32, zero int32, scale float32)

//go:noescape
func dotFloatsNEON(x0, x1, w []float32, out *[8]float32)

//go:noescape
func boundsNEON(row []float32) (low, high float32)

//go:noescape
func quantiseNEON(row []float32, out []uint8, inverse, zero float32)
