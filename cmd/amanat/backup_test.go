package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/accounts"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/chain"
	"amanat/internal/testing/dbtest"
)

// restoreEnv makes this test binary a pg_restore.
const restoreEnv = "AMANAT_TEST_RESTORE"

// Dumps that make it fail for another reason than a bad dump.
const (
	unreachable = "unreachable"
	killed      = "killed"
)

func TestMain(m *testing.M) {
	if os.Getenv(restoreEnv) != "" {
		if err := restoreStandIn(context.Background(), os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, "pg_restore: error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(dbtest.Main(m))
}

// restoreStandIn stands in for the pg_restore of PostgreSQL 18, which Debian does not have yet: a
// dump is the URL of the database that it was taken from, whose rows it copies.
func restoreStandIn(ctx context.Context, args []string) error {
	if args[0] == "--version" {
		fmt.Println("pg_restore (PostgreSQL) " + os.Getenv(restoreEnv))
		return nil
	}
	dump, err := os.ReadFile(args[len(args)-1])
	if args[len(args)-2] == "--dbname" {
		dump, err = io.ReadAll(os.Stdin)
	}
	if err != nil {
		return err
	}
	switch string(dump) {
	case unreachable:
		return errors.New(`connection to server at "127.0.0.1", port 5432 failed: Connection refused`)
	case killed:
		return syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	from, whole := strings.CutSuffix(string(dump), "\n")
	if !whole {
		return errors.New("could not read from input file: end of file")
	}
	target := strings.Split(strings.Join(args, " ")+" ", "--dbname ")[1]
	target, _, _ = strings.Cut(target, " ")
	if err := postgres.Migrate(ctx, target, dbtest.Roles()); err != nil {
		return err
	}
	source, err := pgx.Connect(ctx, from)
	if err != nil {
		return err
	}
	copied, err := pgx.Connect(ctx, target)
	if err != nil {
		return err
	}
	return copyTables(ctx, source, copied)
}

const sqlTables = `
select format('%I.%I', table_schema, table_name), string_agg(quote_ident(column_name), ', ' order by ordinal_position)
  from information_schema.columns join information_schema.tables using (table_schema, table_name)
 where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') and is_generated = 'NEVER'
 group by table_schema, table_name`

func copyTables(ctx context.Context, source, target *pgx.Conn) error {
	rows, _ := source.Query(ctx, sqlTables) // CollectRows returns its error
	type table struct{ Name, Columns string }
	tables, err := pgx.CollectRows(rows, pgx.RowToStructByPos[table])
	if err != nil {
		return err
	}
	if _, err := target.Exec(ctx, "set session_replication_role = replica"); err != nil {
		return err
	}
	for _, t := range tables {
		if _, err := target.Exec(ctx, "delete from "+t.Name); err != nil {
			return err
		}
		var data strings.Builder
		if _, err := source.PgConn().CopyTo(ctx, &data, "copy "+t.Name+" ("+t.Columns+") to stdout"); err != nil {
			return err
		}
		_, err := target.PgConn().CopyFrom(ctx, strings.NewReader(data.String()), "copy "+t.Name+" ("+t.Columns+") from stdin")
		if err != nil {
			return err
		}
	}
	return nil
}

// A restored dump is checked in a database of its own, which is gone afterwards, whatever was
// found.
func TestVerifyBackup(t *testing.T) {
	db := dbtest.New(t)
	user, err := accounts.New(accounts.Options{DB: db.API(), Clock: clock.System{}}).Create(t.Context(),
		accounts.SignupInput{Username: "rahim", Email: "rahim@example.com", Password: "river-stone-42"})
	require.NoError(t, err)
	db.Fund(user.ID, 50_00)
	_, err = (&chain.Sealer{DB: db.Worker()}).Seal(t.Context(), time.Now())
	require.NoError(t, err)

	t.Setenv("DATABASE_URL", db.OwnerURL)
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	_, err = amanat(t, "verify-backup", "/dev/null")
	require.ErrorContains(t, err, "pg_restore of PostgreSQL 18 or newer is needed in PATH")
	require.Equal(t, exitUnchecked, exitCode(err))
	self, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(self, filepath.Join(bin, "pg_restore")))
	t.Setenv(restoreEnv, "17.6 (Debian 17.6-0+deb13u1)")
	_, err = amanat(t, "verify-backup", "/dev/null")
	require.ErrorContains(t, err, `"pg_restore (PostgreSQL) 17.6 (Debian 17.6-0+deb13u1)" is too old`)
	t.Setenv(restoreEnv, "18.4")
	_, err = amanat(t, "verify-backup", filepath.Join(bin, "missing"))
	require.ErrorIs(t, err, errUnchecked)
	t.Setenv("DATABASE_URL", db.WorkerURL)
	_, err = amanat(t, "verify-backup", "/dev/null")
	require.ErrorIs(t, err, errUnchecked)
	require.ErrorContains(t, err, "use that of the database's owner")
	t.Setenv("DATABASE_URL", db.OwnerURL)

	dump := filepath.Join(t.TempDir(), "amanat.dump")
	write := func(text string) { require.NoError(t, os.WriteFile(dump, []byte(text), 0o600)) }
	write(db.OwnerURL + "\n")
	verify := func(args ...string) (string, error) {
		t.Helper()
		out, err := amanat(t, append([]string{"verify-backup"}, args...)...)
		require.Empty(t, scratchDatabases(t, db), "the scratch database is dropped")
		return out.stdout.String(), err
	}
	printed, err := verify(dump)
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(printed, "\nyes\n"), printed)
	_, err = verify("--head", strings.Repeat("0", 64), dump)
	require.ErrorIs(t, err, errBackup)
	require.Equal(t, exitFailure, exitCode(err))

	for _, reason := range []string{unreachable, killed} {
		write(reason)
		printed, err = verify(dump)
		require.ErrorIs(t, err, errUnchecked, reason)
		require.NotErrorIs(t, err, errBackup, reason)
		require.NotRegexp(t, `(?m)^(yes|no)$`, printed, reason)
	}

	write(db.OwnerURL) // truncated
	printed, err = verify(dump)
	require.ErrorIs(t, err, errBackup)
	require.ErrorContains(t, err, "end of file")
	require.True(t, strings.HasSuffix(printed, "\nno\n"), printed)
	write(db.OwnerURL + "\n")

	interrupted := filepath.Join(t.TempDir(), "amanat.dump")
	require.NoError(t, syscall.Mkfifo(interrupted, 0o600))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		if pipe, err := os.OpenFile(interrupted, os.O_WRONLY, 0); err == nil { // once pg_restore reads it
			cancel()
			_ = pipe.Close()
		}
	}()
	require.ErrorIs(t, run(ctx, []string{"verify-backup", interrupted}, strings.NewReader(""), io.Discard, io.Discard), context.Canceled)
	require.Empty(t, scratchDatabases(t, db))

	for _, c := range []struct{ name, change, undo, says string }{
		{
			"a changed amount", "update ledger.entries set amount = amount + 1",
			"update ledger.entries set amount = amount - 1", "transfer 1 or its seal 1 was changed",
		},
		{
			"another schema", "update schema_migrations set checksum = 'x' || checksum where version = 1",
			"update schema_migrations set checksum = substr(checksum, 2) where version = 1", "",
		},
		{"a removed transfer", "delete from ledger.transfers", "", "transfer 1 was removed"},
	} {
		change := func(sql string) {
			t.Helper()
			_, err := db.Owner().Exec(t.Context(), "set session_replication_role = replica; "+sql+"; set session_replication_role = default")
			require.NoError(t, err, c.name)
		}
		change(c.change)
		printed, err = verify(dump)
		require.ErrorIs(t, err, errBackup, c.name)
		require.Contains(t, printed, c.says, c.name)
		require.True(t, strings.HasSuffix(printed, "\nno\n"), printed)
		change(c.undo)
	}
}

func scratchDatabases(t *testing.T, db *dbtest.DB) []string {
	t.Helper()
	rows, _ := db.Owner().Query(t.Context(), "select datname::text from pg_database where datname like 'amanat\\_scratch\\_%'")
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return names
}
