#include "textflag.h"

// Instructions that the assembler has no name for, as the Arm Architecture Reference Manual (DDI 0487) encodes them.
// Arguments are numbers of vector registers, the last the destination.
#define SMULL(m, n, d)   WORD $(0x0E20C000 | (m)<<16 | (n)<<5 | (d)) // d.8H = n.8B·m.8B
#define SMLAL2(m, n, d)  WORD $(0x4E208000 | (m)<<16 | (n)<<5 | (d)) // d.8H += upper halves of n.16B·m.16B
#define SADALP(n, d)     WORD $(0x4E606800 | (n)<<5 | (d))           // d.4S += pairs of n.8H
#define SDOT(m, n, d)    WORD $(0x4E809400 | (m)<<16 | (n)<<5 | (d)) // d.4S += fours of n.16B·m.16B
#define MLS(m, n, d)     WORD $(0x6EA09400 | (m)<<16 | (n)<<5 | (d)) // d.4S −= n.4S·m.4S
#define SCVTF(n, d)      WORD $(0x4E21D800 | (n)<<5 | (d))           // d.4S = n.4S as floats
#define FMUL(m, n, d)    WORD $(0x6E20DC00 | (m)<<16 | (n)<<5 | (d)) // d.4S = n.4S·m.4S
#define FADD(m, n, d)    WORD $(0x4E20D400 | (m)<<16 | (n)<<5 | (d)) // d.4S = n.4S + m.4S
#define FADDP(m, n, d)   WORD $(0x6E20D400 | (m)<<16 | (n)<<5 | (d)) // d.4S = pairs of n.4S, then pairs of m.4S
#define FMAX(m, n, d)    WORD $(0x4E20F400 | (m)<<16 | (n)<<5 | (d)) // d.4S = max(n.4S, m.4S)
#define FMIN(m, n, d)    WORD $(0x4EA0F400 | (m)<<16 | (n)<<5 | (d)) // d.4S = min(n.4S, m.4S)
#define FMAXV(n, d)      WORD $(0x6E30F800 | (n)<<5 | (d))           // d.S = max of n.4S
#define FMINV(n, d)      WORD $(0x6EB0F800 | (n)<<5 | (d))           // d.S = min of n.4S
#define FCVTNS(n, d)     WORD $(0x4E21A800 | (n)<<5 | (d))           // d.4S = n.4S to nearest, ties to even
#define SQXTUN(n, d)     WORD $(0x2E612800 | (n)<<5 | (d))           // d.4H = n.4S, saturated to unsigned
#define SQXTUN2(n, d)    WORD $(0x6E612800 | (n)<<5 | (d))           // upper half of d.8H = n.4S, likewise
#define UQXTN(n, d)      WORD $(0x2E214800 | (n)<<5 | (d))           // d.8B = n.8H, saturated

// ZERO8 clears V0–V7.
#define ZERO8 \
	VEOR V0.B16, V0.B16, V0.B16 \
	VEOR V1.B16, V1.B16, V1.B16 \
	VEOR V2.B16, V2.B16, V2.B16 \
	VEOR V3.B16, V3.B16, V3.B16 \
	VEOR V4.B16, V4.B16, V4.B16 \
	VEOR V5.B16, V5.B16, V5.B16 \
	VEOR V6.B16, V6.B16, V6.B16 \
	VEOR V7.B16, V7.B16, V7.B16

// ARGUMENTS loads those of a dot of bytes: R9 is the row of x and R10 the end of the last, R11 the first row of weights, R12 the
// length of a row, R4 where the sums go and R13 the bytes to those of the next row.
#define ARGUMENTS \
	MOVD  x_base+0(FP), R9      \
	MOVD  x_len+8(FP), R10      \
	ADD   R9, R10, R10          \
	MOVD  w_base+24(FP), R11    \
	MOVD  w_len+32(FP), R12     \
	LSR   $2, R12, R12          \
	MOVD  sums_base+56(FP), R4  \
	MOVD  stride+80(FP), R13    \
	LSL   $2, R13, R13          \
	VMOVI $128, V31.B16

// BEGIN clears the sums and points R0 and R2 at two rows of x, or both at the last, R8 at the sums of the second, R3 and R5–R7 at
// the rows of weights; R1 counts their bytes.
#define BEGIN \
	MOVD R9, R0         \
	ADD  R12, R9, R2    \
	ADD  R13, R4, R8    \
	CMP  R10, R2        \
	CSEL LT, R2, R0, R2 \
	CSEL LT, R8, R4, R8 \
	MOVD R11, R3        \
	ADD  R12, R3, R5    \
	ADD  R12, R5, R6    \
	ADD  R12, R6, R7    \
	MOVD R12, R1        \
	ZERO8

// LOAD loads 16 bytes of each row: those of x to V16 and V17, less 128, which makes them signed; the weights to V18–V21.
#define LOAD \
	VLD1.P 16(R0), [V16.B16]     \
	VLD1.P 16(R2), [V17.B16]     \
	VLD1.P 16(R3), [V18.B16]     \
	VLD1.P 16(R5), [V19.B16]     \
	VLD1.P 16(R6), [V20.B16]     \
	VLD1.P 16(R7), [V21.B16]     \
	VEOR   V31.B16, V16.B16, V16.B16 \
	VEOR   V31.B16, V17.B16, V17.B16

// STORE adds up each of V0–V7 and writes the sums of the second row, then of the first, which may be the same.
#define STORE \
	VADDP V1.S4, V0.S4, V0.S4 \
	VADDP V3.S4, V2.S4, V2.S4 \
	VADDP V2.S4, V0.S4, V0.S4 \
	VADDP V5.S4, V4.S4, V4.S4 \
	VADDP V7.S4, V6.S4, V6.S4 \
	VADDP V6.S4, V4.S4, V4.S4 \
	VST1  [V4.S4], (R8)       \
	VST1  [V0.S4], (R4)

// func dotNEON(x []uint8, w []int8, step int, sums []int32, stride int)
// V0–V3 sum a row of x with the four of weights, V4–V7 the next. Two products in 16 bits do not exceed 128·64·2 = 16384.
TEXT ·dotNEON(SB), NOSPLIT, $0-88
	ARGUMENTS

rows:
	BEGIN

bytes:
	LOAD
	SMULL(18, 16, 22)
	SMULL(19, 16, 23)
	SMULL(20, 16, 24)
	SMULL(21, 16, 25)
	SMULL(18, 17, 26)
	SMULL(19, 17, 27)
	SMULL(20, 17, 28)
	SMULL(21, 17, 29)
	SMLAL2(18, 16, 22)
	SMLAL2(19, 16, 23)
	SMLAL2(20, 16, 24)
	SMLAL2(21, 16, 25)
	SMLAL2(18, 17, 26)
	SMLAL2(19, 17, 27)
	SMLAL2(20, 17, 28)
	SMLAL2(21, 17, 29)
	SADALP(22, 0)
	SADALP(23, 1)
	SADALP(24, 2)
	SADALP(25, 3)
	SADALP(26, 4)
	SADALP(27, 5)
	SADALP(28, 6)
	SADALP(29, 7)
	SUBS  $16, R1, R1
	BNE   bytes
	STORE
	ADD   R12<<1, R9, R9
	ADD   R13<<1, R4, R4
	CMP   R10, R9
	BLT   rows
	RET

// func dotSDOT(x []uint8, w []int8, step int, sums []int32, stride int)
// V0–V3 sum a row of x with the four of weights, V4–V7 the next.
TEXT ·dotSDOT(SB), NOSPLIT, $0-88
	ARGUMENTS

rows:
	BEGIN

bytes:
	LOAD
	SDOT(18, 16, 0)
	SDOT(19, 16, 1)
	SDOT(20, 16, 2)
	SDOT(21, 16, 3)
	SDOT(18, 17, 4)
	SDOT(19, 17, 5)
	SDOT(20, 17, 6)
	SDOT(21, 17, 7)
	SUBS  $16, R1, R1
	BNE   bytes
	STORE
	ADD   R12<<1, R9, R9
	ADD   R13<<1, R4, R4
	CMP   R10, R9
	BLT   rows
	RET

// func dequantiseNEON(out []float32, sums, totals []int32, scales, bias []float32, zero int32, scale float32)
TEXT ·dequantiseNEON(SB), NOSPLIT, $0-128
	MOVD  out_base+0(FP), R0
	MOVD  out_len+8(FP), R1
	MOVD  sums_base+24(FP), R2
	MOVD  totals_base+48(FP), R3
	MOVD  scales_base+72(FP), R4
	MOVD  bias_base+96(FP), R5
	MOVWU zero+120(FP), R6
	MOVWU scale+124(FP), R7
	VDUP  R6, V30.S4
	VDUP  R7, V31.S4

dequantise:
	VLD1.P 16(R2), [V0.S4]
	VLD1.P 16(R3), [V1.S4]
	VLD1.P 16(R4), [V2.S4]
	VLD1.P 16(R5), [V3.S4]
	MLS(30, 1, 0)
	SCVTF(0, 0)
	FMUL(31, 2, 2)
	FMUL(2, 0, 0)
	FADD(3, 0, 0)
	VST1.P [V0.S4], 16(R0)
	SUBS   $4, R1, R1
	BNE    dequantise
	RET

// PRODUCTSF adds the products of one row of weights, R, with x0 (V16, V17) and x1 (V18, V19): 8 floats each, to the lower
// and upper sums of x0 (a0, a1) and x1 (b0, b1).
#define PRODUCTSF(R, a0, a1, b0, b1) \
	VLD1.P 32(R), [V20.S4, V21.S4] \
	FMUL(20, 16, 22) \
	FMUL(21, 17, 23) \
	FMUL(20, 18, 24) \
	FMUL(21, 19, 25) \
	FADD(22, a0, a0) \
	FADD(23, a1, a1) \
	FADD(24, b0, b0) \
	FADD(25, b1, b1)

// func dotFloatsNEON(x0, x1, w []float32, out *[8]float32)
// V0–V7 sum x0 with the four rows, lower and upper sums in turn, V8–V15 x1.
TEXT ·dotFloatsNEON(SB), NOSPLIT, $0-80
	MOVD x0_base+0(FP), R0
	MOVD x0_len+8(FP), R1
	MOVD x1_base+24(FP), R2
	MOVD w_base+48(FP), R3
	MOVD out+72(FP), R4
	ADD  R1<<2, R3, R5
	ADD  R1<<2, R5, R6
	ADD  R1<<2, R6, R7
	ZERO8
	VEOR V8.B16, V8.B16, V8.B16
	VEOR V9.B16, V9.B16, V9.B16
	VEOR V10.B16, V10.B16, V10.B16
	VEOR V11.B16, V11.B16, V11.B16
	VEOR V12.B16, V12.B16, V12.B16
	VEOR V13.B16, V13.B16, V13.B16
	VEOR V14.B16, V14.B16, V14.B16
	VEOR V15.B16, V15.B16, V15.B16

floats:
	VLD1.P 32(R0), [V16.S4, V17.S4]
	VLD1.P 32(R2), [V18.S4, V19.S4]
	PRODUCTSF(R3, 0, 1, 8, 9)
	PRODUCTSF(R5, 2, 3, 10, 11)
	PRODUCTSF(R6, 4, 5, 12, 13)
	PRODUCTSF(R7, 6, 7, 14, 15)
	SUBS   $8, R1, R1
	BNE    floats
	FADDP(2, 0, 0)                  // neighbours, of the lower sums of rows 0 and 1
	FADDP(3, 1, 1)                  // of the upper ones
	FADDP(6, 4, 4)
	FADDP(7, 5, 5)
	FADDP(4, 0, 0)                  // pairs of those, of all four rows
	FADDP(5, 1, 1)
	FADD(1, 0, 0)                   // lower and upper
	FADDP(10, 8, 8)
	FADDP(11, 9, 9)
	FADDP(14, 12, 12)
	FADDP(15, 13, 13)
	FADDP(12, 8, 8)
	FADDP(13, 9, 9)
	FADD(9, 8, 1)
	VST1   [V0.S4, V1.S4], (R4)
	RET

// func boundsNEON(row []float32) (low, high float32)
TEXT ·boundsNEON(SB), NOSPLIT, $0-32
	MOVD  row_base+0(FP), R0
	MOVD  row_len+8(FP), R1
	VLD1  (R0), [V0.S4]
	VORR  V0.B16, V0.B16, V1.B16
	VORR  V0.B16, V0.B16, V2.B16
	VORR  V0.B16, V0.B16, V3.B16

bounds:
	VLD1.P 32(R0), [V4.S4, V5.S4]
	FMIN(4, 0, 0)
	FMAX(4, 1, 1)
	FMIN(5, 2, 2)
	FMAX(5, 3, 3)
	SUBS   $8, R1, R1
	BNE    bounds
	FMIN(2, 0, 0)
	FMAX(3, 1, 1)
	FMINV(0, 0)
	FMAXV(1, 1)
	FMOVS  F0, low+24(FP)
	FMOVS  F1, high+28(FP)
	RET

// func quantiseNEON(row []float32, out []uint8, inverse, zero float32)
TEXT ·quantiseNEON(SB), NOSPLIT, $0-56
	MOVD  row_base+0(FP), R0
	MOVD  row_len+8(FP), R1
	MOVD  out_base+24(FP), R2
	MOVWU inverse+48(FP), R3
	MOVWU zero+52(FP), R4
	VDUP  R3, V30.S4
	VDUP  R4, V31.S4

quantise:
	VLD1.P 32(R0), [V0.S4, V1.S4]
	FMUL(30, 0, 0)
	FMUL(30, 1, 1)
	FADD(31, 0, 0)
	FADD(31, 1, 1)
	FCVTNS(0, 0)
	FCVTNS(1, 1)
	SQXTUN(0, 2)
	SQXTUN2(1, 2)
	UQXTN(2, 2)
	VST1.P [V2.B8], 8(R2)
	SUBS   $8, R1, R1
	BNE    quantise
	RET
