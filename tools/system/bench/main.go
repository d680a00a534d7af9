// Command bench measures what has targets (docs/performance.md), prints the results beside the
// committed ones, writes the new ones, and reports missed targets and ratios that have fallen.
// `make bench` builds the programs and runs it:
//
//	bin/bench -programs bin -results bench/results.json
//
// It starts its own servers with fsync on, and needs an otherwise idle machine for some minutes.
// Each figure is measured right after a run of pgbench's TPC-B-like transaction on the same server,
// because only the ratio of the two is comparable between machines and days.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := command(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop has run
	}
}

// errWorse makes the exit code non-zero if a ratio has fallen.
var errWorse = errors.New("worse than the committed results")

func command(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	o := Options{Log: out}
	flags.StringVar(&o.Programs, "programs", "bin", "folder with the built api and worker")
	flags.IntVar(&o.Clients, "clients", 16, "connections, and people who pay at the same time")
	flags.DurationVar(&o.Duration, "duration", 5*time.Second, "of each measurement")
	flags.IntVar(&o.Rounds, "rounds", 5, "of all measurements; the median counts")
	flags.IntVar(&o.Scale, "scale", 50, "of pgbench")
	flags.IntVar(&o.Sockets, "sockets", 1_000, "open at each of two nodes at the same time")
	flags.StringVar(&o.Only, "only", "", "measure only what has a name like this regular expression, as for profiling; nothing is written")
	clientProcess := flags.Bool("client-process", false, "run as a client process, which a benchmark starts")
	results := flags.String("results", "", "file to compare with and to write; none: only print")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *clientProcess {
		return serveClients(ctx, os.Stdin, out)
	}
	before, err := read(*results)
	if err != nil {
		return err
	}
	if o.PGBench, err = findPGBench(); err != nil {
		return err
	}
	if o.PGBench == "" {
		_, _ = fmt.Fprintln(out, "No pgbench (Debian: postgresql): without it there are no ratios to PostgreSQL itself, and nothing is written.")
	}
	measured, err := measure(ctx, o)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintln(out)
	if err := report(out, measured, before); err != nil {
		return err
	}
	if *results != "" && o.PGBench != "" && o.Only == "" {
		if err := write(*results, measured); err != nil {
			return err
		}
	}
	if worse := measured.Worse(before); len(worse) > 0 {
		return fmt.Errorf("%w:\n%s", errWorse, strings.Join(worse, "\n"))
	}
	return nil
}

// report prints the figures and then the missed targets, which do not make the run fail.
func report(out io.Writer, measured, before Results) error {
	if err := measured.Print(out, before); err != nil {
		return err
	}
	missed := measured.Missed()
	if len(missed) > 0 {
		_, _ = fmt.Fprintln(out, "\nMissed targets, which docs/performance.md#missed-targets explains:")
	}
	for _, miss := range missed {
		_, _ = fmt.Fprintln(out, "MISSED", miss)
	}
	return nil
}

func read(path string) (Results, error) {
	var results Results
	if path == "" {
		return results, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return results, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &results)
	}
	return results, err
}

func write(path string, results Results) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(results.Write(file), file.Close())
}

// findPGBench looks for pgbench on PATH and where Debian installs it. It returns "" if there is
// none.
func findPGBench() (string, error) {
	path, err := exec.LookPath("pgbench")
	if err == nil {
		return path, nil
	}
	if !errors.Is(err, exec.ErrNotFound) {
		return "", err
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/pgbench")
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[len(found)-1], nil
}
