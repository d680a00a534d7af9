package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/app/config"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/chain"
)

// errBackup makes the exit code non-zero if a backup is not good.
var errBackup = errors.New("the backup is not good")

// restoreStop is how long pg_restore may take to end after an interrupt.
const restoreStop = 10 * time.Second

// verifyBackup restores a dump of pg_dump into a scratch database beside that of DATABASE_URL (the
// owner's login), checks schema, books and chains there, and drops it.
func verifyBackup(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("verify-backup", flag.ContinueOnError)
	text := flags.String("head", "", "")
	if err := parse(flags, flagsFirst(args), 1); err != nil {
		return err
	}
	head, err := hex.DecodeString(*text)
	if err != nil || *text != "" && len(head) != sha256Length {
		return fmt.Errorf("%w: --head is the hash that verify-chain has printed, 64 hexadecimal digits", errUsage)
	}
	dump := flags.Arg(0)
	if dump != "-" { // standard input
		if _, err := os.Stat(dump); err != nil {
			return err
		}
	}
	databaseURL, err := config.DatabaseURL()
	if err != nil {
		return err
	}
	if err := checkRestore(ctx); err != nil {
		return err
	}
	findings := 0
	err = postgres.WithScratch(ctx, databaseURL, func(ctx context.Context, name, scratchURL string) error {
		fmt.Fprintf(out, "restoring into the scratch database %s\n", name)
		if err := restoreDump(ctx, scratchURL, dump); err != nil {
			return err
		}
		findings, err = checkCopy(ctx, scratchURL, head, out)
		return err
	})
	switch {
	case errors.Is(err, errBackup):
		fmt.Fprintln(out, "no")
		return explainRights(err)
	case err != nil:
		return explainRights(err)
	case findings > 0:
		fmt.Fprintln(out, "no")
		return errBackup
	}
	fmt.Fprintln(out, "yes")
	return nil
}

// checkRestore fails unless the pg_restore of PATH can read dumps of the servers that Amanat runs
// on.
func checkRestore(ctx context.Context) error {
	printed, err := exec.CommandContext(ctx, "pg_restore", "--version").Output()
	if err != nil {
		return fmt.Errorf("pg_restore of PostgreSQL %d or newer is needed in PATH: %w", postgres.MinServer, err)
	}
	version := strings.TrimSpace(string(printed))
	var major int
	if _, err := fmt.Sscanf(version, "pg_restore (PostgreSQL) %d", &major); err != nil || major < postgres.MinServer {
		return fmt.Errorf("%q is too old for the dump: put that of PostgreSQL %d or newer first in PATH", version, postgres.MinServer)
	}
	return nil
}

// restoreDump fills a database from a dump. Privileges are left out, since nobody else uses it.
func restoreDump(ctx context.Context, scratchURL, dump string) error {
	target, password, err := forLibpq(scratchURL)
	if err != nil {
		return err
	}
	args := []string{"--exit-on-error", "--no-owner", "--no-acl", "--no-password", "--dbname", target}
	if dump != "-" {
		args = append(args, dump)
	}
	cmd := exec.CommandContext(ctx, "pg_restore", args...) //nolint:gosec // the operator names the file
	if dump == "-" {
		cmd.Stdin = os.Stdin
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if password != "" { // not in the arguments, which other users of the machine see
		cmd.Env = append(cmd.Environ(), "PGPASSWORD="+password)
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = restoreStop
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%w: %s", errBackup, cmp.Or(strings.TrimSpace(stderr.String()), err.Error()))
	}
	return nil
}

// libpqOptions are the options of a URL that pg_restore needs. It refuses those of pgx and settings
// of sessions.
var libpqOptions = []string{"host", "port", "user", "sslmode", "sslrootcert", "sslcert", "sslkey", "target_session_attrs"}

// forLibpq returns the URL as pg_restore takes it, without the password, and the password.
func forLibpq(databaseURL string) (target, password string, err error) {
	connection, err := pgconn.ParseConfig(databaseURL)
	if err != nil {
		return "", "", err
	}
	u, err := url.Parse(databaseURL)
	if err != nil {
		return "", "", err
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	query := u.Query()
	for name := range query {
		if !slices.Contains(libpqOptions, name) {
			query.Del(name)
		}
	}
	u.RawQuery = query.Encode()
	return u.String(), connection.Password, nil
}

// checkCopy prints what it finds in a restored database and returns how much that is.
func checkCopy(ctx context.Context, scratchURL string, head []byte, out io.Writer) (findings int, err error) {
	db, err := postgres.Connect(ctx, scratchURL, postgres.Options{ApplicationName: "amanat"})
	if err != nil {
		return 0, err
	}
	defer db.Close()
	if err := checkSchema(ctx, db); err != nil {
		return 0, err
	}
	fmt.Fprintln(out, "ok      the schema is that of this version")
	check, err := reports.CheckBooks(ctx, db, reports.CheckOptions{})
	if err != nil {
		return 0, err
	}
	for _, f := range check.Findings {
		fmt.Fprintf(out, "BROKEN  %s: %s\n", f.Rule, f.Detail)
	}
	if len(check.Findings) == 0 {
		fmt.Fprintf(out, "ok      the books: %d rules\n", len(reports.Rules()))
	}
	results, err := chain.Verify(ctx, db, chain.Options{Head: head})
	if err != nil {
		return 0, err
	}
	err = printChains(out, results, hex.EncodeToString(head))
	if err != nil && !errors.Is(err, errChain) {
		return 0, err
	}
	if err != nil {
		return len(check.Findings) + 1, nil
	}
	return len(check.Findings), nil
}

// checkSchema fails with errBackup if a restored database lacks something of this version's schema.
func checkSchema(ctx context.Context, db *pgxpool.Pool) error {
	if err := postgres.Adapt(ctx, db); err != nil {
		return fmt.Errorf("%w: %w", errBackup, err)
	}
	if err := postgres.Validate(ctx, db); err != nil {
		return fmt.Errorf("%w: %w; a dump is verified by the version that it was taken from", errBackup, err)
	}
	return nil
}
