package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Cost is what one call takes besides time, including the work that it leaves to others, such as
// mails.
type Cost struct {
	CPU      CPU     `json:"cpuMillis,omitzero"` // zero if the system has no /proc
	WALBytes float64 `json:"walBytes"`
	// Transactions that changed or locked rows, so that their commits are logged.
	Commits float64 `json:"commits"`
}

// CPU is CPU time in milliseconds, by group of processes.
type CPU struct {
	Postgres float64 `json:"postgres"`
	API      float64 `json:"api,omitempty"` // both nodes
	Worker   float64 `json:"worker,omitempty"`
	Client   float64 `json:"client"` // this process, which also receives the mails, or pgbench
}

func (c CPU) total() float64 { return c.Postgres + c.API + c.Worker + c.Client }

// meter has the totals since the processes started.
type meter struct {
	postgres, api, worker, client time.Duration // CPU time
	wal                           int64         // bytes
	transactions                  int64
}

// metered runs a measurement and adds what each of its calls cost. The meter is read again when the
// jobs of the calls are done and their mails sent, but before the checkpoint that follows.
func (e *environment) metered(ctx context.Context, run func(context.Context) (Sample, error)) (Sample, error) {
	before, err := e.readMeter(ctx)
	if err != nil {
		return Sample{}, err
	}
	sample, err := run(ctx)
	if err != nil {
		return Sample{}, err
	}
	if err := e.drain(ctx); err != nil {
		return Sample{}, err
	}
	after, err := e.readMeter(ctx)
	if err != nil {
		return Sample{}, err
	}
	sample.Cost = after.since(before).each(sample.Calls)
	return sample, nil
}

func (e *environment) readMeter(ctx context.Context) (m meter, err error) {
	if m.wal, m.transactions, err = writtenSoFar(ctx, e.owner); err != nil {
		return meter{}, err
	}
	if !procAvailable() {
		return m, nil
	}
	if m.postgres, err = familyCPU(e.postmaster); err != nil {
		return meter{}, err
	}
	if m.worker, err = ownCPU(e.worker); err != nil {
		return meter{}, err
	}
	for _, api := range e.apis {
		used, err := ownCPU(api)
		if err != nil {
			return meter{}, err
		}
		m.api += used
	}
	m.client, err = ownCPU(os.Getpid())
	return m, err
}

func (m meter) since(before meter) meter {
	return meter{
		postgres: m.postgres - before.postgres, api: m.api - before.api,
		worker: m.worker - before.worker, client: m.client - before.client,
		wal: m.wal - before.wal, transactions: m.transactions - before.transactions,
	}
}

func (m meter) each(calls int) Cost {
	if calls == 0 {
		return Cost{}
	}
	n := float64(calls)
	return Cost{
		CPU: CPU{
			Postgres: millis(m.postgres) / n, API: millis(m.api) / n, Worker: millis(m.worker) / n, Client: millis(m.client) / n,
		},
		WALBytes: float64(m.wal) / n,
		Commits:  float64(m.transactions) / n,
	}
}

// medianCost returns the medians of the parts. Their sum may differ from the median of the sums.
func medianCost(rounds []round, of sampleOf) Cost {
	part := func(get func(c Cost) float64) float64 {
		return median(rounds, func(r round) float64 { return get(of(r).Cost) })
	}
	return Cost{
		CPU: CPU{
			Postgres: part(func(c Cost) float64 { return c.CPU.Postgres }),
			API:      part(func(c Cost) float64 { return c.CPU.API }),
			Worker:   part(func(c Cost) float64 { return c.CPU.Worker }),
			Client:   part(func(c Cost) float64 { return c.CPU.Client }),
		},
		WALBytes: part(func(c Cost) float64 { return c.WALBytes }),
		Commits:  part(func(c Cost) float64 { return c.Commits }),
	}
}

func (c Cost) rounded() Cost {
	return Cost{
		CPU: CPU{
			Postgres: round3(c.CPU.Postgres), API: round3(c.CPU.API), Worker: round3(c.CPU.Worker), Client: round3(c.CPU.Client),
		},
		WALBytes: math.Round(c.WALBytes),
		Commits:  round3(c.Commits),
	}
}

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
