#include "textflag.h"

// Sixteen ones of 16 bits.
DATA ones<>+0(SB)/8, $0x0001000100010001
DATA ones<>+8(SB)/8, $0x0001000100010001
DATA ones<>+16(SB)/8, $0x0001000100010001
DATA ones<>+24(SB)/8, $0x0001000100010001
GLOBL ones<>(SB), RODATA|NOPTR, $32

// ROWS points R8–R10 at the second to fourth row of weights, of DX elements of some size; CX is the first.
#define ROWS(size) \
	LEAQ (CX)(DX*size), R8 \
	LEAQ (R8)(DX*size), R9 \
	LEAQ (R9)(DX*size), R10

// ZERO4 clears four sums.
#define ZERO4(xor, a, b, c, d) \
	xor a, a, a \
	xor b, b, b \
	xor c, c, c \
	xor d, d, d

// SUM4 writes the sums of the elements of four vectors a to d, in this order, to 16 bytes at out: first neighbours,
// then neighbouring pairs, then the halves. h is the lower half of a, t of any other.
#define SUM4(hadd, add, extract, a, b, c, d, h, t, out) \
	hadd    b, a, a   \
	hadd    d, c, c   \
	hadd    c, a, a   \
	extract $1, a, t  \
	add     t, h, h   \
	VMOVUPS h, out

// ARGUMENTS loads those that both dots of bytes have: AX is the row of x and R14 the end of the last, CX the first row of weights,
// DX the length of a row.
#define ARGUMENTS \
	MOVQ x_base+0(FP), AX        \
	MOVQ x_len+8(FP), R14        \
	ADDQ AX, R14                 \
	MOVQ w_base+24(FP), CX       \
	MOVQ w_len+32(FP), DX        \
	SHRQ $2, DX                  \
	ROWS(1)                      \
	VMOVDQU ones<>(SB), Y15

// PRODUCTS adds x·w of 32 bytes each to the 32-bit sums. VPMADDUBSW adds two products in 16 bits, which
// 255·64·2 = 32640 does not exceed; VPMADDWD with ones adds two of those in 32.
#define PRODUCTS(x, w, t, sums) \
	VPMADDUBSW w, x, t       \
	VPMADDWD   Y15, t, t     \
	VPADDD     t, sums, sums

// EACH2 adds 32 bytes of one row of weights times those of two rows of x, in Y8 and Y9; EACH1 times those of one.
#define EACH2(w, t, u, sums0, sums1) \
	VMOVDQU (w)(SI*1), Y10       \
	PRODUCTS(Y8, Y10, t, sums0)  \
	PRODUCTS(Y9, Y10, u, sums1)

#define EACH1(w, t, sums) \
	VMOVDQU (w)(SI*1), Y10     \
	PRODUCTS(Y8, Y10, t, sums)

// func dotEachAVX2(x []uint8, w []int8, sums []int32, stride int)
// Two rows of x at a time, AX and BX, then one if one is left. Y0–Y3 sum the first with the four rows of weights, Y4–Y7 the second.
TEXT ·dotEachAVX2(SB), NOSPLIT, $0-80
	ARGUMENTS
	MOVQ sums_base+48(FP), DI
	MOVQ stride+72(FP), R13

two:
	LEAQ (AX)(DX*1), BX
	CMPQ BX, R14
	JGE  one
	ZERO4(VPXOR, Y0, Y1, Y2, Y3)
	ZERO4(VPXOR, Y4, Y5, Y6, Y7)
	XORQ SI, SI

bytes2:
	VMOVDQU (AX)(SI*1), Y8
	VMOVDQU (BX)(SI*1), Y9
	EACH2(CX, Y11, Y12, Y0, Y4)
	EACH2(R8, Y13, Y14, Y1, Y5)
	EACH2(R9, Y11, Y12, Y2, Y6)
	EACH2(R10, Y13, Y14, Y3, Y7)
	ADDQ    $32, SI
	CMPQ    SI, DX
	JLT     bytes2
	SUM4(VPHADDD, VPADDD, VEXTRACTI128, Y0, Y1, Y2, Y3, X0, X1, (DI))
	SUM4(VPHADDD, VPADDD, VEXTRACTI128, Y4, Y5, Y6, Y7, X4, X5, (DI)(R13*4))
	LEAQ    (DI)(R13*8), DI
	LEAQ    (BX)(DX*1), AX
	JMP     two

one:
	CMPQ AX, R14
	JGE  done
	ZERO4(VPXOR, Y0, Y1, Y2, Y3)
	XORQ SI, SI

bytes1:
	VMOVDQU (AX)(SI*1), Y8
	EACH1(CX, Y11, Y0)
	EACH1(R8, Y12, Y1)
	EACH1(R9, Y13, Y2)
	EACH1(R10, Y14, Y3)
	ADDQ    $32, SI
	CMPQ    SI, DX
	JLT     bytes1
	SUM4(VPHADDD, VPADDD, VEXTRACTI128, Y0, Y1, Y2, Y3, X0, X1, (DI))

done:
	VZEROUPPER
	RET

// PAIRS adds x·w + y·v of 32 bytes each to the 32-bit sums, where four products together fit in 16 bits; v is in memory.
#define PAIRS(x, w, y, v, t, u, sums) \
	VPMADDUBSW w, x, t       \
	VPMADDUBSW v, y, u       \
	VPADDW     u, t, t       \
	VPMADDWD   Y15, t, t     \
	VPADDD     t, sums, sums

// PAIRS2 adds 32 bytes of one row of weights, at SI and at R11, times those of two rows of x, in Y8 and Y9 and in Y10 and Y11;
// PAIRS1 times those of one.
#define PAIRS2(w, sums0, sums1) \
	VMOVDQU (w)(SI*1), Y12                             \
	PAIRS(Y8, Y12, Y10, (w)(R11*1), Y13, Y14, sums0)   \
	PAIRS(Y9, Y12, Y11, (w)(R11*1), Y13, Y14, sums1)

#define PAIRS1(w, sums) \
	VMOVDQU (w)(SI*1), Y12                           \
	PAIRS(Y8, Y12, Y10, (w)(R11*1), Y13, Y14, sums)

// func dotPairsAVX2(x []uint8, w []int8, step int, sums []int32, stride int)
// As dotEachAVX2, but each 32 bytes at SI go together with those at R11, a step further on, until SI is where R11 began, at R12.
// Widening half as often matters: Zen and Zen 2, Haswell and Broadwell multiply on one port.
TEXT ·dotPairsAVX2(SB), NOSPLIT, $0-88
	ARGUMENTS
	MOVQ sums_base+56(FP), DI

two:
	LEAQ (AX)(DX*1), BX
	CMPQ BX, R14
	JGE  one
	ZERO4(VPXOR, Y0, Y1, Y2, Y3)
	ZERO4(VPXOR, Y4, Y5, Y6, Y7)
	XORQ SI, SI

steps2:
	MOVQ SI, R11
	ADDQ step+48(FP), R11
	MOVQ R11, R12

pairs2:
	VMOVDQU (AX)(SI*1), Y8
	VMOVDQU (BX)(SI*1), Y9
	VMOVDQU (AX)(R11*1), Y10
	VMOVDQU (BX)(R11*1), Y11
	PAIRS2(CX, Y0, Y4)
	PAIRS2(R8, Y1, Y5)
	PAIRS2(R9, Y2, Y6)
	PAIRS2(R10, Y3, Y7)
	ADDQ    $32, R11
	ADDQ    $32, SI
	CMPQ    SI, R12
	JLT     pairs2
	MOVQ    R11, SI
	CMPQ    SI, DX
	JLT     steps2
	MOVQ    stride+80(FP), R13
	SUM4(VPHADDD, VPADDD, VEXTRACTI128, Y0, Y1, Y2, Y3, X0, X1, (DI))
	SUM4(VPHADDD, VPADDD, VEXTRACTI128, Y4, Y5, Y6, Y7, X4, X5, (DI)(R13*4))
	LEAQ    (DI)(R13*8), DI
	LEAQ    (BX)(DX*1), AX
	JMP     two

one:
	CMPQ AX, R14
	JGE  done
	ZERO4(VPXOR, Y0, Y1, Y2, Y3)
	XORQ SI, SI

steps1:
	MOVQ SI, R11
	ADDQ step+48(FP), R11
	MOVQ R11, R12

pairs1:
	VMOVDQU (AX)(SI*1), Y8
	VMOVDQU (AX)(R11*1), Y10
	PAIRS1(CX, Y0)
	PAIRS1(R8, Y1)
	PAIRS1(R9, Y2)
	PAIRS1(R10, Y3)
	ADDQ    $32, R11
	ADDQ    $32, SI
	CMPQ    SI, R12
	JLT     pairs1
	MOVQ    R11, SI
	CMPQ    SI, DX
	JLT     steps1
	SUM4(VPHADDD, VPADDD, VEXTRACTI128, Y0, Y1, Y2, Y3, X0, X1, (DI))

done:
	VZEROUPPER
	RET

// func dequantiseAVX2(out []float32, sums, totals []int32, scales, bias []float32, zero int32, scale float32)
TEXT ·dequantiseAVX2(SB), NOSPLIT, $0-128
	MOVQ         out_base+0(FP), DI
	MOVQ         out_len+8(FP), DX
	MOVQ         sums_base+24(FP), AX
	MOVQ         totals_base+48(FP), BX
	MOVQ         scales_base+72(FP), CX
	MOVQ         bias_base+96(FP), R8
	VBROADCASTSS zero+120(FP), Y14
	VBROADCASTSS scale+124(FP), Y15
	XORQ         SI, SI

dequantise:
	VPMULLD   (BX)(SI*4), Y14, Y0
	VMOVDQU   (AX)(SI*4), Y1
	VPSUBD    Y0, Y1, Y1
	VCVTDQ2PS Y1, Y1
	VMULPS    (CX)(SI*4), Y15, Y2
	VMULPS    Y2, Y1, Y1
	VADDPS    (R8)(SI*4), Y1, Y1
	VMOVUPS   Y1, (DI)(SI*4)
	ADDQ      $8, SI
	CMPQ      SI, DX
	JLT       dequantise
	VZEROUPPER
	RET

// PRODUCTSF adds x·w of 8 floats each to the sums.
#define PRODUCTSF(x, w, t, sums) \
	VMULPS w, x, t      \
	VADDPS t, sums, sums

// func dotFloatsAVX2(x0, x1, w []float32, out *[8]float32)
// Y0–Y3 sum x0 with the four rows, Y4–Y7 x1.
TEXT ·dotFloatsAVX2(SB), NOSPLIT, $0-80
	MOVQ x0_base+0(FP), AX
	MOVQ x0_len+8(FP), DX
	MOVQ x1_base+24(FP), BX
	MOVQ w_base+48(FP), CX
	MOVQ out+72(FP), DI
	ROWS(4)
	ZERO4(VXORPS, Y0, Y1, Y2, Y3)
	ZERO4(VXORPS, Y4, Y5, Y6, Y7)
	XORQ SI, SI

floats:
	VMOVUPS (AX)(SI*4), Y8
	VMOVUPS (BX)(SI*4), Y9
	VMOVUPS (CX)(SI*4), Y10
	PRODUCTSF(Y8, Y10, Y11, Y0)
	PRODUCTSF(Y9, Y10, Y12, Y4)
	VMOVUPS (R8)(SI*4), Y10
	PRODUCTSF(Y8, Y10, Y13, Y1)
	PRODUCTSF(Y9, Y10, Y14, Y5)
	VMOVUPS (R9)(SI*4), Y10
	PRODUCTSF(Y8, Y10, Y11, Y2)
	PRODUCTSF(Y9, Y10, Y12, Y6)
	VMOVUPS (R10)(SI*4), Y10
	PRODUCTSF(Y8, Y10, Y13, Y3)
	PRODUCTSF(Y9, Y10, Y14, Y7)
	ADDQ    $8, SI
	CMPQ    SI, DX
	JLT     floats
	SUM4(VHADDPS, VADDPS, VEXTRACTF128, Y0, Y1, Y2, Y3, X0, X1, (DI))
	SUM4(VHADDPS, VADDPS, VEXTRACTF128, Y4, Y5, Y6, Y7, X4, X5, 16(DI))
	VZEROUPPER
	RET

// FOLD leaves the VMINPS or VMAXPS of the elements of a and b in the lowest element of a; h is the lower half of a.
#define FOLD(op, a, b, h, t) \
	op           b, a, a    \
	VEXTRACTF128 $1, a, t   \
	op           t, h, h    \
	VPSHUFD      $0x4E, h, t \
	op           t, h, h    \
	VPSHUFD      $0xB1, h, t \
	op           t, h, h

// func boundsAVX2(row []float32) (low, high float32)
TEXT ·boundsAVX2(SB), NOSPLIT, $0-32
	MOVQ    row_base+0(FP), AX
	MOVQ    row_len+8(FP), DX
	VMOVUPS (AX), Y0
	VMOVAPS Y0, Y1
	VMOVAPS Y0, Y2
	VMOVAPS Y0, Y3
	XORQ    SI, SI

bounds:
	VMOVUPS (AX)(SI*4), Y4
	VMOVUPS 32(AX)(SI*4), Y5
	VMINPS  Y4, Y0, Y0
	VMAXPS  Y4, Y1, Y1
	VMINPS  Y5, Y2, Y2
	VMAXPS  Y5, Y3, Y3
	ADDQ    $16, SI
	CMPQ    SI, DX
	JLT     bounds
	FOLD(VMINPS, Y0, Y2, X0, X4)
	FOLD(VMAXPS, Y1, Y3, X1, X4)
	VMOVSS  X0, low+24(FP)
	VMOVSS  X1, high+28(FP)
	VZEROUPPER
	RET

// func quantiseAVX2(row []float32, out []uint8, inverse, zero float32)
// VCVTPS2DQ rounds to nearest, ties to even; the packing saturates, first to signed 16 bits, then to unsigned 8.
TEXT ·quantiseAVX2(SB), NOSPLIT, $0-56
	MOVQ         row_base+0(FP), AX
	MOVQ         row_len+8(FP), DX
	MOVQ         out_base+24(FP), BX
	VBROADCASTSS inverse+48(FP), Y14
	VBROADCASTSS zero+52(FP), Y15
	XORQ         SI, SI

quantise:
	VMOVUPS      (AX)(SI*4), Y0
	VMOVUPS      32(AX)(SI*4), Y1
	VMULPS       Y14, Y0, Y0
	VMULPS       Y14, Y1, Y1
	VADDPS       Y15, Y0, Y0
	VADDPS       Y15, Y1, Y1
	VCVTPS2DQ    Y0, Y0
	VCVTPS2DQ    Y1, Y1
	VPACKSSDW    Y1, Y0, Y0
	VPERMQ       $0xD8, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPACKUSWB    X1, X0, X0
	VMOVDQU      X0, (BX)(SI*1)
	ADDQ         $16, SI
	CMPQ         SI, DX
	JLT          quantise
	VZEROUPPER
	RET
