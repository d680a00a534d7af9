// Command mutants checks the tests of the money core: it injects one small fault at a time into a
// copy of the repository and runs the tests that should fail. It fails if any fault is not noticed.
// Run it in the root of the repository: make mutants.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// mutant is a fault and the tests that should notice it.
type mutant struct {
	name     string // describes the fault
	file     string
	old, new string // old occurs once in the file
	pkg      string // package of the tests
	run      string // go test -run
}

// testTimeout bounds one run of tests. A fault may make them hang, which counts as noticed.
const testTimeout = 3 * time.Minute

func main() {
	only := flag.String("only", "", "regular expression: only the mutants whose names match")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, *only, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, only string, out io.Writer) error {
	chosen, err := choose(only)
	if err != nil {
		return err
	}
	tree, err := copyTree(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(tree) }()

	// Check the whole list first, so that an outdated entry is reported at once.
	for _, m := range chosen {
		if _, _, err := m.apply(tree); err != nil {
			return err
		}
	}
	healthy := map[string]bool{}
	var alive int
	for _, m := range chosen {
		if tests := m.pkg + " " + m.run; !healthy[tests] {
			if passed, output := test(ctx, tree, m); !passed || strings.Contains(output, "no tests to run") {
				return fmt.Errorf("%s -run %s must pass without a fault:\n%s", m.pkg, m.run, output)
			}
			healthy[tests] = true
		}
		started := time.Now()
		noticed, err := inject(ctx, tree, m)
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		verdict := "killed"
		if !noticed {
			verdict = "ALIVE"
			alive++
		}
		fmt.Fprintf(out, "%-6s  %4.0f s  %s\n", verdict, time.Since(started).Seconds(), m.name)
	}
	fmt.Fprintf(out, "%d mutants, %d killed, %d alive\n", len(chosen), len(chosen)-alive, alive)
	if alive > 0 {
		return fmt.Errorf("no test notices %d of the faults", alive)
	}
	return nil
}

func choose(only string) ([]mutant, error) {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return nil, err
	}
	var chosen []mutant
	for _, m := range mutants {
		if pattern.MatchString(m.name) {
			chosen = append(chosen, m)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("no mutant matches %q", only)
	}
	return chosen, nil
}

// copyTree copies all files known to git, with uncommitted changes, to a temporary folder.
func copyTree(ctx context.Context) (string, error) {
	listed, err := exec.CommandContext(ctx, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return "", fmt.Errorf("git ls-files: %w", err)
	}
	tree, err := os.MkdirTemp("", "amanat-mutants-")
	if err != nil {
		return "", err
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(listed), "\x00"), "\x00") {
		content, err := os.ReadFile(name)
		if errors.Is(err, os.ErrNotExist) {
			continue // deleted, but not committed yet
		}
		if err != nil {
			return "", err
		}
		target := filepath.Join(tree, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(target, content, 0o644); err != nil {
			return "", err
		}
	}
	// The server for the test databases is among them.
	packages, err := filepath.Abs("ui/node_modules")
	if err != nil {
		return "", err
	}
	return tree, os.Symlink(packages, filepath.Join(tree, "ui/node_modules"))
}

// apply returns the file's content without and with the fault.
func (m mutant) apply(tree string) (healthy, faulty []byte, err error) {
	healthy, err = os.ReadFile(filepath.Join(tree, m.file))
	if err != nil {
		return nil, nil, err
	}
	if n := bytes.Count(healthy, []byte(m.old)); n != 1 {
		return nil, nil, fmt.Errorf("%s: %s has %d places of %q, not one", m.name, m.file, n, m.old)
	}
	return healthy, bytes.Replace(healthy, []byte(m.old), []byte(m.new), 1), nil
}

// inject injects the fault, runs the tests and restores the file. It reports whether a test failed.
func inject(ctx context.Context, tree string, m mutant) (noticed bool, err error) {
	healthy, faulty, err := m.apply(tree)
	if err != nil {
		return false, err
	}
	path := filepath.Join(tree, m.file)
	if err := os.WriteFile(path, faulty, 0o644); err != nil {
		return false, err
	}
	passed, output := test(ctx, tree, m)
	if err := os.WriteFile(path, healthy, 0o644); err != nil {
		return false, err
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if strings.Contains(output, "[build failed]") || strings.Contains(output, "[setup failed]") {
		return false, fmt.Errorf("does not build:\n%s", output)
	}
	return !passed, nil
}

func test(ctx context.Context, tree string, m mutant) (passed bool, output string) {
	cmd := exec.CommandContext(ctx, "go", "test", "-vet=off", "-timeout", testTimeout.String(), "-run", m.run, m.pkg)
	cmd.Dir = tree
	all, err := cmd.CombinedOutput()
	return err == nil, string(all)
}
