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

// tpcb runs pgbench's default transaction. Without pgbench it returns a zero Sample.
func (e *environment) tpcb(ctx context.Context) (Sample, error) {
	if e.options.PGBench == "" {
		return Sample{}, nil
	}
	report, err := e.pgbench(ctx, "-M", "prepared", "-c", strconv.Itoa(e.options.Clients), "-j", strconv.Itoa(pgbenchThreads),
		"-T", strconv.Itoa(max(1, int(e.options.Duration.Seconds()))), "--no-vacuum")
	if err != nil {
		return Sample{}, err
	}
	return parseReport(report)
}

func (e *environment) preparePgbench(ctx context.Context) error {
	if e.options.PGBench == "" {
		return nil
	}
	_, err := e.pgbench(ctx, "-i", "-q", "-s", strconv.Itoa(e.options.Scale))
	return err
}

func (e *environment) pgbench(ctx context.Context, args ...string) (string, error) {
	args = append(args, e.server.URL(tpcbDatabase))
	cmd := exec.CommandContext(ctx, e.options.PGBench, args...) //nolint:gosec // the caller's choice
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("pgbench %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return string(out), nil
}

var (
	reportedRate    = regexp.MustCompile(`(?m)^tps = ([0-9.]+) `)
	reportedLatency = regexp.MustCompile(`(?m)^latency average = ([0-9.]+) ms`)
)

// parseReport reads the rate and the mean latency, which takes the place of the median because
// pgbench does not report one.
func parseReport(report string) (Sample, error) {
	var numbers [2]float64
	for i, pattern := range []*regexp.Regexp{reportedRate, reportedLatency} {
		found := pattern.FindStringSubmatch(report)
		if found == nil {
			return Sample{}, fmt.Errorf("pgbench reports no %s:\n%s", pattern, report)
		}
		var err error
		if numbers[i], err = strconv.ParseFloat(found[1], 64); err != nil {
			return Sample{}, err
		}
	}
	return Sample{PerSecond: numbers[0], P50: time.Duration(numbers[1] * float64(time.Millisecond))}, nil
}
