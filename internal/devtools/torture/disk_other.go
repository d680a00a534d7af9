//go:build !linux

package torture

import "errors"

const (
	canFillDisk = false
	smallFile   = 0
)

func limitFiles([]int, uint64) (former uint64, err error) {
	return 0, errors.New("limits of other processes cannot be set on this system")
}
