package localstack

import "syscall"

// freeBytes returns how much can be written to a file system, 0 when that is unknown.
func freeBytes(dir string) uint64 {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(dir, &stat); err != nil {
		return 0
	}
	return stat.Bavail * uint64(stat.Bsize)
}
