package torture

import (
	"errors"

	"golang.org/x/sys/unix"
)

const (
	canFillDisk = true
	// smallFile is less than a segment of the write-ahead log has.
	smallFile = 1 << 20
)

// limitFiles sets the size that processes can make files grow to, and returns the former one.
// Processes that have ended are left out.
func limitFiles(pids []int, size uint64) (former uint64, err error) {
	former = unix.RLIM_INFINITY
	for _, pid := range pids {
		var had unix.Rlimit
		if err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, nil, &had); err != nil {
			if errors.Is(err, unix.ESRCH) {
				continue
			}
			return former, err
		}
		err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: min(size, had.Max), Max: had.Max}, nil)
		if err != nil && !errors.Is(err, unix.ESRCH) {
			return former, err
		}
		former = had.Cur
	}
	return former, nil
}
