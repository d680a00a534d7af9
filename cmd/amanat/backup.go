package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"amanat/internal/app/config"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/chain"
)

var (
	// errBackup makes the exit code non-zero if a backup is not good.
	errBackup = errors.New("the backup is not good")
	// errUnchecked is returned if something else kept a backup from being checked.
	errUnchecked = errors.New("the backup could not be checked")
)

// restoreStop is how long pg_restore may take to end after an interrupt.
const restoreStop = 10 * time.Second

// backupCheck is what verify-backup found. Books and Chains are nil if the dump could not be
// restored or its schema is another one.
type backupCheck struct {
	OK      bool         `json:"ok"`
	Scratch string       `json:"scratch"` // the database, which is gone now
	Problem string       `json:"problem"` // "": the dump was restored and has the schema of this version
	Books   *booksCheck  `json:"books"`
	Chains  *chainsCheck `json:"chains"`
}

func (b backupCheck) text(out io.Writer) error {
	if b.Books != nil {
		fmt.Fprintln(out, "ok      the schema is that of this version")
		if err := b.Books.text(out); err != nil {
			return err
		}
	}
	if b.Chains != nil {
		if err := b.Chains.text(out); err != nil {
			return err
		}
	}
	answer := "no"
	if b.OK {
		answer = "yes"
	}
	_, err := fmt.Fprintln(out, answer)
	return err
}

func verifyBackup() *cobra.Command {
	var text string
	cmd := printing(&cobra.Command{
		Use: "verify-backup DUMP", Args: exactly(1), Short: "Restore a dump into a scratch database and check it; exit code 1 if it is bad",
		Long: "Restore a dump of pg_dump (- for standard input) into a scratch database beside this one, check schema, books and chains\n" +
			"there, and drop it. The last line is yes or no. If something else keeps the dump from being checked, such as a server that\n" +
			"cannot be reached, there is no such line and the exit code is 3. It takes the login of the database's owner.",
		RunE: func(cmd *cobra.Command, args []string) error {
			head, err := parseHead(text)
			if err != nil {
				return err
			}
			read, err := checkBackup(cmd, args[0], head)
			if err != nil && !errors.Is(err, errBackup) {
				return fmt.Errorf("%w: %w", errUnchecked, explainRights(err))
			}
			if err != nil {
				read.Problem = err.Error()
			}
			if err := show(cmd, read); err != nil {
				return err
			}
			if err == nil && !read.OK {
				err = errBackup
			}
			return err
		},
	})
	cmd.Flags().StringVar(&text, "head", "", "also look for this `hash`, which verify-chain has printed")
	return cmd
}

// checkBackup restores a dump into a scratch database beside that of DATABASE_URL, which is the
// owner's, and checks schema, books and chains there. Error errBackup: the dump is not good.
func checkBackup(cmd *cobra.Command, dump string, head []byte) (read backupCheck, err error) {
	ctx := cmd.Context()
	if dump != "-" { // standard input
		if _, err := os.Stat(dump); err != nil {
			return read, err
		}
	}
	databaseURL, err := config.DatabaseURL()
	if err != nil {
		return read, err
	}
	if err := checkRestore(ctx); err != nil {
		return read, err
	}
	err = postgres.WithScratch(ctx, databaseURL, func(ctx context.Context, name, scratchURL string) error {
		read.Scratch = name
		note(cmd, "restoring into the scratch database %s", name)
		if err := restoreDump(ctx, scratchURL, dump, cmd.InOrStdin()); err != nil {
			return err
		}
		return checkCopy(ctx, scratchURL, head, &read)
	})
	return read, err
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

// restoreDump fills a database from a dump, or from stdin if it is -. Privileges are left out,
// since nobody else uses it.
func restoreDump(ctx context.Context, scratchURL, dump string, stdin io.Reader) error {
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
		cmd.Stdin = stdin
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	cmd.Env = append(cmd.Environ(), "LC_ALL=C") // for beyondDump
	if password != "" {                         // not in the arguments, which other users of the machine see
		cmd.Env = append(cmd.Env, "PGPASSWORD="+password)
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = restoreStop
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		said := strings.TrimSpace(stderr.String())
		if cmd.ProcessState == nil || !cmd.ProcessState.Exited() || beyondDump.MatchString(said) {
			return fmt.Errorf("pg_restore: %w: %s", err, said)
		}
		return fmt.Errorf("%w: %s", errBackup, cmp.Or(said, err.Error()))
	}
	return nil
}

// beyondDump matches what pg_restore says in English when it fails for a reason outside the dump.
var beyondDump = regexp.MustCompile(`connection to server |could not translate host name |server closed the connection` +
	`|terminating connection |No space left on device|out of (shared )?memory|could not open input file|unsupported version`)

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

// checkCopy checks a restored database. Error errBackup: the schema is not that of this version.
func checkCopy(ctx context.Context, scratchURL string, head []byte, read *backupCheck) error {
	db, err := postgres.Connect(ctx, scratchURL, postgres.Options{ApplicationName: "amanat"})
	if err != nil {
		return err
	}
	defer db.Close()
	if err := checkSchema(ctx, db); err != nil {
		return err
	}
	check, err := reports.CheckBooks(ctx, db, reports.CheckOptions{})
	if err != nil {
		return err
	}
	results, err := chain.Verify(ctx, db, chain.Options{Head: head})
	if err != nil {
		return err
	}
	books, chains := newBooksCheck(check), newChainsCheck(results, hex.EncodeToString(head))
	read.Books, read.Chains, read.OK = &books, &chains, books.OK && chains.OK
	return nil
}

// checkSchema fails with errBackup if a restored database lacks something of this version's schema.
func checkSchema(ctx context.Context, db *pgxpool.Pool) error {
	err := postgres.Adapt(ctx, db)
	if err == nil {
		if err = postgres.Validate(ctx, db); err != nil {
			err = fmt.Errorf("%w; a dump is verified by the version that it was taken from", err)
		}
	}
	if err == nil || ctx.Err() != nil || postgres.Unavailable(err) {
		return err
	}
	return fmt.Errorf("%w: %w", errBackup, err)
}
