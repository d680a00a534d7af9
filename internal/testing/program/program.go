// Package program finds the programs that tests need and that the product's own set-up does not
// bring.
package program

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Path returns the path of a program on PATH or in /usr/sbin, which only root has on PATH. Without
// it, the test fails, or is skipped if AMANAT_MISSING, which the Makefile sets, names the program.
// The variable is part of the key under which go test caches results, so that an installation ends
// the skipping.
func Path(tb testing.TB, name string) string {
	tb.Helper()
	if slices.Contains(strings.Fields(os.Getenv("AMANAT_MISSING")), name) {
		tb.Skipf("%s is not installed: make setup", name)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		path, err = exec.LookPath("/usr/sbin/" + name)
	}
	require.NoErrorf(tb, err, "this test needs %s: make setup", name)
	return path
}
