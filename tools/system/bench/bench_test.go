//go:build soak

package main

import (
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The measurements of `make bench` run and leave the books balanced, which measure checks. The
// figures of such a short run mean nothing.
func TestMeasure(t *testing.T) {
	t.Parallel()
	programs := t.TempDir()
	for folder, packages := range map[string][]string{".": {"."}, "../../..": {"./cmd/api", "./cmd/worker"}} {
		build := exec.Command("go", append([]string{"build", "-C", folder, "-buildvcs=false", "-o", programs}, packages...)...)
		out, err := build.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	results, err := measure(t.Context(), Options{
		Programs: programs,
		Clients:  2,
		Duration: 200 * time.Millisecond,
		Rounds:   1,
		Sockets:  20,
		Log:      t.Output(),
	})
	require.NoError(t, err)
	for _, figure := range results.Figures {
		require.Positive(t, figure.PerSecond, figure.Name)
	}
}
