package systemtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/dbtest"
)

// binaries is the folder that programs are built into; it lives as long as the test run.
var binaries string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	var err error
	if binaries, err = os.MkdirTemp("", "amanat-systemtest-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(binaries) }()
	return dbtest.Main(m)
}

// build is one way of building the programs. They are built when a test first wants one, once a test run.
type build struct {
	name string
	tags string

	once sync.Once
	err  error
}

// released is what is deployed; failing has the failpoints of crash tests.
var (
	released = &build{name: "released"}
	failing  = &build{name: "failing", tags: "failpoints"}
)

// program returns the path of a program.
func (b *build) program(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(binaries, b.name)
	b.once.Do(func() {
		// -buildvcs: the working copy may belong to another user than the one who tests.
		cmd := exec.Command("go", "build", "-buildvcs=false", "-tags="+b.tags, "-o", dir+string(filepath.Separator),
			"amanat/cmd/api", "amanat/cmd/worker", "amanat/cmd/amanat")
		if out, err := cmd.CombinedOutput(); err != nil {
			b.err = fmt.Errorf("build: %w\n%s", err, out)
		}
	})
	require.NoError(t, b.err)
	return filepath.Join(dir, name)
}
