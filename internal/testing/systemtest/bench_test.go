//go:build soak

package systemtest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/devtools/bench"
)

func init() { programs = append(programs, "amanat/cmd/bench") }

// The measurements of `make bench` run and leave the books balanced, which bench.Run checks. The
// figures of such a short run mean nothing.
func TestBench(t *testing.T) {
	t.Parallel()
	results, err := bench.Run(t.Context(), bench.Options{
		Programs: filepath.Dir(released.program(t, "api")),
		Clients:  2,
		Duration: 200 * time.Millisecond,
		Rounds:   1,
		Sockets:  20,
		Log:      t.Output(),
	})
	require.NoError(t, err)
	measured := map[string]bool{"pgbench TPC-B": true} // needs pgbench
	for _, figure := range results.Figures {
		require.Positive(t, figure.PerSecond, figure.Name)
		measured[figure.Name] = true
	}
	var committed bench.Results
	file, err := os.ReadFile("../../../bench/results.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(file, &committed))
	for _, figure := range committed.Figures {
		require.True(t, measured[figure.Name], figure.Name)
	}
	require.Len(t, measured, len(committed.Figures))
}
