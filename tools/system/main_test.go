package system

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/testing/dbtest"
)

// binaries is the folder that programs are built into. It is deleted after the test run.
var binaries string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	var err error
	if binaries, err = os.MkdirTemp("", "amanat-system-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(binaries) }()
	return dbtest.Main(m)
}

// build is a variant of the programs, built when a test first needs it, once per test run.
type build struct {
	name string
	tags string

	once sync.Once
	err  error
}

// released is what is deployed.
var released = &build{name: "released"}

// programs are what a build consists of.
var programs = []string{"amanat/cmd/api", "amanat/cmd/worker", "amanat/cmd/amanat"}

// program returns the path of a program.
func (b *build) program(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(binaries, b.name)
	b.once.Do(func() {
		// -buildvcs=false: the working copy may belong to another user. Programs without symbols
		// are linked in less time.
		_, b.err = goCommand("build", "-buildvcs=false", "-ldflags=-s -w", "-tags="+b.tags, "-o", dir+string(filepath.Separator))
		b.err = errors.Join(b.err, dependOnSources())
	})
	require.NoError(t, b.err)
	return filepath.Join(dir, name)
}

// goCommand runs a command of the go tool on our programs, in their module.
func goCommand(args ...string) (string, error) {
	cmd := exec.Command("go", append(args, programs...)...)
	cmd.Dir = repositoryRoot
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("go %s: %w\n%s", args[0], err, problems.String())
	}
	return string(out), err
}

// dependOnSources opens the folders of all packages of the programs. `go test` caches results
// unless something changes that a test imports or opens, and these tests import little of what they
// test.
func dependOnSources() error {
	folders, err := goCommand("list", "-deps", "-f", "{{if not .Standard}}{{.Dir}}{{end}}")
	if err != nil {
		return err
	}
	for _, folder := range strings.Split(strings.TrimSpace(folders), "\n") {
		if _, err := os.ReadDir(folder); err != nil {
			return err
		}
	}
	return nil
}
