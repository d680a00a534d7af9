package systemtest

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/devtools/bench"
)

// What `make bench` measures still works, and leaves the books in order: bench.Run checks them. The figures of so short a run mean nothing.
func TestTheBenchRuns(t *testing.T) {
	t.Parallel()
	results, err := bench.Run(t.Context(), bench.Options{
		Programs: filepath.Dir(released.program(t, "api")), Clients: 2, Duration: 200 * time.Millisecond, Rounds: 1, Sockets: 20, Log: t.Output(),
	})
	require.NoError(t, err)
	for _, figure := range results.Figures {
		require.Positive(t, figure.PerSecond, figure.Name)
	}
	require.Len(t, results.Figures, 11)
}
