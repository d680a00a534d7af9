package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	procDir = "/proc"
	// Linux counts CPU time in this unit on all platforms that Go supports.
	tick = 10 * time.Millisecond
	// Children rarely exit during a reading, so a few readings suffice.
	maxReadings = 20
)

var errStatFormat = errors.New("unknown format")

// procStat is what /proc/<pid>/stat says about a process.
type procStat struct {
	parent int
	own    time.Duration // CPU time of the process, in user and system mode
	reaped time.Duration // CPU time of its children that have exited and been waited for
}

// procAvailable reports whether CPU times can be read, as on Linux.
func procAvailable() bool {
	_, err := readStat(os.Getpid())
	return err == nil
}

func readStat(pid int) (procStat, error) {
	path := filepath.Join(procDir, strconv.Itoa(pid), "stat")
	text, err := os.ReadFile(path)
	if err != nil {
		return procStat{}, err
	}
	stat, err := parseStat(string(text))
	if err != nil {
		return procStat{}, fmt.Errorf("%s: %w: %q", path, err, text)
	}
	return stat, nil
}

// parseStat parses the text of /proc/<pid>/stat. The second field is the command in parentheses; it
// may contain spaces and parentheses itself, so the fields after it are counted from the last one.
func parseStat(text string) (procStat, error) {
	const (
		parent = 1 // the first field after the command is the state
		utime  = 11
		fields = 15 // utime, stime, cutime and cstime are the last that are read
	)
	end := strings.LastIndexByte(text, ')')
	if end < 0 {
		return procStat{}, errStatFormat
	}
	rest := strings.Fields(text[end+1:])
	if len(rest) < fields {
		return procStat{}, errStatFormat
	}
	stat := procStat{}
	var err error
	if stat.parent, err = strconv.Atoi(rest[parent]); err != nil {
		return procStat{}, err
	}
	var ticks [fields - utime]int64
	for i := range ticks {
		if ticks[i], err = strconv.ParseInt(rest[utime+i], 10, 64); err != nil {
			return procStat{}, err
		}
	}
	stat.own = time.Duration(ticks[0]+ticks[1]) * tick
	stat.reaped = time.Duration(ticks[2]+ticks[3]) * tick
	return stat, nil
}

// ownCPU returns the CPU time that a process has used, without that of its children.
func ownCPU(pid int) (time.Duration, error) {
	stat, err := readStat(pid)
	return stat.own, err
}

// familyCPU returns the CPU time that a process and all its children, living and exited, have used.
// When a child is waited for, its time moves to the parent's total. The reading is repeated until
// that total has stayed the same, so that the time of each child counts exactly once.
func familyCPU(pid int) (time.Duration, error) {
	before, err := readStat(pid)
	if err != nil {
		return 0, err
	}
	for range maxReadings {
		children, err := livingChildrenCPU(pid)
		if err != nil {
			return 0, err
		}
		after, err := readStat(pid)
		if err != nil {
			return 0, err
		}
		if after.reaped == before.reaped {
			return after.own + after.reaped + children, nil
		}
		before = after
	}
	return 0, fmt.Errorf("children of process %d exited during each of %d readings", pid, maxReadings)
}

// livingChildrenCPU returns the CPU time of a process's children that have not been waited for.
func livingChildrenCPU(pid int) (time.Duration, error) {
	entries, err := os.ReadDir(procDir)
	if err != nil {
		return 0, err
	}
	var sum time.Duration
	for _, entry := range entries {
		child, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue // not a process
		}
		stat, err := readStat(child)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
			continue // has exited since
		}
		if err != nil {
			return 0, err
		}
		if stat.parent == pid {
			sum += stat.own + stat.reaped
		}
	}
	return sum, nil
}
