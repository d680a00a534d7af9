package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWorse(t *testing.T) {
	t.Parallel()
	before := Results{Figures: []Figure{
		{Name: "post", Against: nameTPCB, Ratio: 0.80},
		{Name: "pay", Against: nameTPCB, Ratio: 0.10},
		{Name: "rate", PerSecond: 100},
	}}
	now := Results{Figures: []Figure{
		{Name: "post", Against: nameTPCB, Ratio: 0.70},
		{Name: "pay", Against: nameTPCB, Ratio: 0.08},
		{Name: "rate", PerSecond: 10},
		{Name: "new", Against: nameTPCB, Ratio: 0.01},
	}}
	require.Equal(t, []string{"pay: 0.080 × pgbench TPC-B, was 0.100 (-20%)"}, now.Worse(before),
		"a ratio within the tolerance, a rate of another machine and a new figure are not worse")
	require.Empty(t, now.Worse(Results{}))
}

func TestResults_Write(t *testing.T) {
	t.Parallel()
	written := Results{CPUs: 2, Figures: []Figure{
		{Name: "pay", PerSecond: 99.6, P99Millis: 12.34567, Against: nameTPCB, Ratio: 0.12345, Target: 0.1},
	}}
	var text bytes.Buffer
	require.NoError(t, written.Write(&text))
	var read Results
	require.NoError(t, json.Unmarshal(text.Bytes(), &read))
	require.Equal(t,
		Figure{Name: "pay", PerSecond: 100, P99Millis: 12.346, Against: nameTPCB, Ratio: 0.123, Target: 0.1},
		read.Figures[0])
}

func TestParseReport(t *testing.T) {
	t.Parallel()
	sample, err := parseReport("number of transactions actually processed: 15607\n" +
		"number of failed transactions: 0 (0.000%)\nlatency average = 5.125 ms\ninitial connection time = 28.4 ms\n" +
		"tps = 3121.5 (without initial connection time)\n")
	require.NoError(t, err)
	require.Equal(t, Sample{Calls: 15607, PerSecond: 3121.5, P50: 5125 * time.Microsecond}, sample)
	_, err = parseReport("pgbench: error: connection failed")
	require.ErrorContains(t, err, "connection failed")
}

func TestMedian_and_percentile(t *testing.T) {
	t.Parallel()
	require.InDelta(t, 2, median([]float64{3, 1, 2}, func(f float64) float64 { return f }), 0)
	var took []time.Duration
	for i := range 100 {
		took = append(took, time.Duration(i))
	}
	require.Equal(t, time.Duration(99), percentile(took, 0.99))
	require.Equal(t, time.Duration(50), percentile(took, 0.50))
	require.Zero(t, percentile(nil, 0.5))
}

func TestWorse_by_CPU(t *testing.T) {
	t.Parallel()
	before := Results{Figures: []Figure{{Name: "pay", Against: nameTPCB, Ratio: 0.1, CPURatio: 0.1}}}
	require.Equal(t, []string{"pay: 0.080 × pgbench TPC-B by CPU, was 0.100 (-20%)"},
		Results{Figures: []Figure{{Name: "pay", Against: nameTPCB, Ratio: 0.1, CPURatio: 0.08}}}.Worse(before))
	require.Empty(t, Results{Figures: []Figure{{Name: "pay", Against: nameTPCB, Ratio: 0.1}}}.Worse(before),
		"a system without /proc")
	require.Empty(t, before.Worse(Results{Figures: []Figure{{Name: "pay", Against: nameTPCB, Ratio: 0.1}}}),
		"results of before the ratio was measured")
}

func TestPacedLoop(t *testing.T) {
	t.Parallel()
	nothing := func(context.Context, int) error { return nil }
	sample, err := pacedLoop(t.Context(), 3, 100, 100*time.Millisecond, nothing)
	require.NoError(t, err)
	require.Positive(t, sample.Calls)
	require.LessOrEqual(t, sample.Calls, 10, "no faster than the rate")

	failed := errors.New("failed")
	_, err = pacedLoop(t.Context(), 3, 100, time.Minute, func(context.Context, int) error { return failed })
	require.ErrorIs(t, err, failed)
}

func TestOpenLoop(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	count := func(context.Context, int) error { calls.Add(1); return nil }
	sample, err := openLoop(t.Context(), 100, 100*time.Millisecond, count)
	require.NoError(t, err)
	require.EqualValues(t, 10, calls.Load())
	require.Equal(t, 10, sample.Calls)

	sample, err = openLoop(t.Context(), 2, 100*time.Millisecond, count)
	require.NoError(t, err)
	require.Positive(t, sample.PerSecond, "a rate too low for one call within the duration")
}

func TestMeter(t *testing.T) {
	t.Parallel()
	before := meter{postgres: time.Second, api: time.Second, worker: time.Second, client: time.Second, wal: 100, transactions: 10}
	after := meter{
		postgres: 3 * time.Second, api: 2 * time.Second, worker: 1500 * time.Millisecond, client: time.Second, wal: 1100, transactions: 40,
	}
	cost := after.since(before).each(10)
	require.Equal(t, Cost{CPU: CPU{Postgres: 200, API: 100, Worker: 50}, WALBytes: 100, Commits: 3}, cost)
	require.InDelta(t, 350, cost.CPU.total(), 0)
	require.Zero(t, after.since(before).each(0))
}

func TestSummarise_relations(t *testing.T) {
	t.Parallel()
	at := func(p50, p99 int) Sample {
		return Sample{PerSecond: 1, P50: time.Duration(p50) * time.Millisecond, P99: time.Duration(p99) * time.Millisecond}
	}
	tpcb := Sample{PerSecond: 1000, Cost: Cost{CPU: CPU{Postgres: 0.4, Client: 0.1}}}
	pay := Sample{PerSecond: 200, Cost: Cost{CPU: CPU{Postgres: 3, API: 1, Worker: 0.5, Client: 0.5}}}
	r := round{tpcbBeforePay: tpcb, pay: pay, bare: at(2, 5), half: at(20, 40), storm: at(30, 120)}
	results := summarise(Options{PGBench: "pgbench"}, "", []round{r})
	find := func(name string) Figure {
		i := slices.IndexFunc(results.Figures, func(f Figure) bool { return f.Name == name })
		require.GreaterOrEqual(t, i, 0, name)
		return results.Figures[i]
	}
	require.InDelta(t, 0.2, find(namePayment).Ratio, 1e-9)
	require.InDelta(t, 0.1, find(namePayment).CPURatio, 1e-9)
	require.Equal(t, pay.Cost, find(namePayment).Cost)
	require.Equal(t, Relation{Against: nameBare, Ratio: 10, Target: 6, OrMillis: 10}, find(nameHalfRate).P50Relative)
	require.Equal(t, Relation{Against: nameHalfRate, Ratio: 3, Target: 2}, find(nameStorm).P99Relative)
}

func TestMissed(t *testing.T) {
	t.Parallel()
	figure := func(name string, f Figure) Figure {
		f.Name = name
		f.setTargets()
		return f
	}
	relative := func(name string, p50, ratio float64) Figure {
		f := figure(name, Figure{P50Millis: p50})
		f.P50Relative.Against, f.P50Relative.Ratio = nameBare, ratio
		return f
	}
	for name, tc := range map[string]struct {
		figure Figure
		want   []string
	}{
		"not measured":     {figure: figure(namePayment, Figure{})},
		"rate held":        {figure: figure(namePayment, Figure{Ratio: 0.0999999})},
		"latency held":     {figure: figure(nameFan5, Figure{P99Millis: 10})},
		"p50 ratio held":   {figure: relative(nameHalfRate, 30, 6)},
		"p50 itself held":  {figure: relative(nameHalfRate, 10, 8)},
		"without a target": {figure: figure(nameLogin, Figure{P99Millis: 1e6})},
		"rate": {
			figure: figure(namePayment, Figure{Against: nameTPCB, Ratio: 0.05}),
			want:   []string{"deal payment, rate: 0.05 × pgbench TPC-B; target: at least 0.1"},
		},
		"latency": {
			figure: figure(nameFan5, Figure{P99Millis: 11.5}),
			want:   []string{"fan-out, 5,000 frames a second, p99: 11.5 ms; target: at most 10 ms"},
		},
		"memory": {
			figure: figure(nameSockets, Figure{KiBEach: 40}),
			want:   []string{"sockets, opened at one node, memory: 40 KiB; target: at most 32 KiB"},
		},
		"relative p50": {
			figure: relative(nameHalfRate, 12, 8),
			want: []string{"deal payment at half rate, relative p50: 8 × bare HTTP, insert and commit at half rate, 12 ms; " +
				"target: at most 6, or 10 ms"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var lines []string
			for _, miss := range (Results{Figures: []Figure{tc.figure}}).Missed() {
				lines = append(lines, miss.String())
			}
			require.Equal(t, tc.want, lines)
		})
	}
}

func TestRun_flags(t *testing.T) {
	t.Parallel()
	require.ErrorIs(t, command(t.Context(), []string{"-help"}, io.Discard), flag.ErrHelp, "the names of the flags are unique")
}
