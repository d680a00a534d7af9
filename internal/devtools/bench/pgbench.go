package bench

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const pgbenchThreads = 2

// tpcb runs pgbench's default transaction. Without pgbench it returns a zero Sample. Its cost is
// that of PostgreSQL and pgbench; the other processes are idle.
func (e *environment) tpcb(ctx context.Context) (Sample, error) {
	if e.options.PGBench == "" {
		return Sample{}, nil
	}
	var own time.Duration // pgbench's CPU time
	sample, err := e.metered(ctx, func(ctx context.Context) (Sample, error) {
		report, used, err := e.pgbench(ctx, "-M", "prepared", "-c", strconv.Itoa(e.options.Clients), "-j", strconv.Itoa(pgbenchThreads),
			"-T", strconv.Itoa(max(1, int(e.options.Duration.Seconds()))), "--no-vacuum")
		if err != nil {
			return Sample{}, err
		}
		own = used
		return parseReport(report)
	})
	if sample.Cost.CPU != (CPU{}) {
		sample.Cost.CPU = CPU{Postgres: sample.Cost.CPU.Postgres, Client: millis(own) / float64(sample.Calls)}
	}
	return sample, err
}

func (e *environment) preparePgbench(ctx context.Context) error {
	if e.options.PGBench == "" {
		return nil
	}
	_, _, err := e.pgbench(ctx, "-i", "-q", "-s", strconv.Itoa(e.options.Scale))
	return err
}

// pgbench returns what pgbench reports, and the CPU time that it used itself.
func (e *environment) pgbench(ctx context.Context, args ...string) (report string, used time.Duration, err error) {
	args = append(args, e.server.URL(tpcbDatabase))
	cmd := exec.CommandContext(ctx, e.options.PGBench, args...) //nolint:gosec // the caller's choice
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", 0, fmt.Errorf("pgbench %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return string(out), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

var (
	reportedRate    = regexp.MustCompile(`(?m)^tps = ([0-9.]+) `)
	reportedCalls   = regexp.MustCompile(`(?m)^number of transactions actually processed: ([0-9]+)`)
	reportedLatency = regexp.MustCompile(`(?m)^latency average = ([0-9.]+) ms`)
)

// parseReport reads the number of transactions, their rate, and the mean latency, which takes the
// place of the median because pgbench does not report one.
func parseReport(report string) (Sample, error) {
	var numbers [3]float64
	for i, pattern := range []*regexp.Regexp{reportedCalls, reportedRate, reportedLatency} {
		found := pattern.FindStringSubmatch(report)
		if found == nil {
			return Sample{}, fmt.Errorf("pgbench reports no %s:\n%s", pattern, report)
		}
		var err error
		if numbers[i], err = strconv.ParseFloat(found[1], 64); err != nil {
			return Sample{}, err
		}
	}
	return Sample{
		Calls: int(numbers[0]), PerSecond: numbers[1], P50: time.Duration(numbers[2] * float64(time.Millisecond)),
	}, nil
}
