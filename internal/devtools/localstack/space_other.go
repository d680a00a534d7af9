//go:build !linux

package localstack

// freeBytes returns 0: only Linux has a folder in memory that every process may use.
func freeBytes(string) uint64 { return 0 }
