//go:build !amd64 && !arm64

package local

// available returns the kernels that the processor has, the fastest first.
func available() []kernels { return []kernels{portable()} }
