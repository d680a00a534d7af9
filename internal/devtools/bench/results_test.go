package bench

import (
	"bytes"
	"encoding/json"
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
	sample, err := parseReport("number of failed transactions: 0 (0.000%)\nlatency average = 5.125 ms\ninitial connection time = 28.4 ms\n" +
		"tps = 3121.5 (without initial connection time)\n")
	require.NoError(t, err)
	require.Equal(t, Sample{PerSecond: 3121.5, P50: 5125 * time.Microsecond}, sample)
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
