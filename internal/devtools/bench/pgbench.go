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

// tpcb runs pgbench's default transaction. Without pgbench it measures nothing.
func (m *market) tpcb(ctx context.Context) (Sample, error) {
	if m.options.PGBench == "" {
		return Sample{}, nil
	}
	report, err := m.pgbench(ctx, "-M", "prepared", "-c", strconv.Itoa(m.options.Clients), "-j", strconv.Itoa(pgbenchThreads),
		"-T", strconv.Itoa(max(1, int(m.options.Duration.Seconds()))), "--no-vacuum")
	if err != nil {
		return Sample{}, err
	}
	return parseReport(report)
}

func (m *market) preparePgbench(ctx context.Context) error {
	if m.options.PGBench == "" {
		return nil
	}
	_, err := m.pgbench(ctx, "-i", "-q", "-s", strconv.Itoa(m.options.Scale))
	return err
}

func (m *market) pgbench(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, m.options.PGBench, append(args, m.server.URL(tpcbDatabase))...) //nolint:gosec // the caller's choice
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

// parseReport reads the rate and the mean latency, which stands for the median: pgbench tells no other.
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
