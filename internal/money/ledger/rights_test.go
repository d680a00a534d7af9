package ledger_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/money/ledger"
	"amanat/internal/testing/dbtest"
)

const (
	insufficientPrivilege = "42501"
	restrictViolation     = "23001"
	checkViolation        = "23514"
)

func requireRefused(t *testing.T, db *pgxpool.Pool, code, sql string) {
	t.Helper()
	_, err := db.Exec(t.Context(), sql)
	var pgErr *pgconn.PgError
	require.ErrorAs(t, err, &pgErr, sql)
	require.Equal(t, code, pgErr.Code, "%s: %s", sql, pgErr.Message)
}

var ledgerTables = []string{"accounts", "transfers", "entries", "rollups"}

// posting is a valid call, so that only a missing privilege can refuse it.
const posting = `select ledger.post('attack', 'test', '2026-11-20', null, null, array['exchange', 'wallet'],
	array[null, 'd5a1c9c4-30c3-4c0e-8a0c-6c1f3f1b2a10']::uuid[], array['USD', 'USD'], array[-100, 100]::bigint[])`

func TestRights_api_cannot_write_ledger(t *testing.T) {
	t.Parallel()
	databases := dbtest.New(t)
	fund(t, databases.Worker(), uuid.New(), 5_00)
	db := databases.API()
	for _, table := range ledgerTables {
		requireRefused(t, db, insufficientPrivilege, "insert into ledger."+table+" default values")
		requireRefused(t, db, insufficientPrivilege, "delete from ledger."+table)
		requireRefused(t, db, insufficientPrivilege, "truncate ledger."+table)
	}
	requireRefused(t, db, insufficientPrivilege, "update ledger.accounts set balance = balance + 1")
	requireRefused(t, db, insufficientPrivilege, "update ledger.transfers set kind = kind")
	requireRefused(t, db, insufficientPrivilege, "update ledger.entries set amount = amount + 1")
	requireRefused(t, db, insufficientPrivilege, "update ledger.rollups set balance = balance + 1")
	requireRefused(t, db, insufficientPrivilege, posting)
	requireRefused(t, db, insufficientPrivilege, "select ledger.fold()")
	// It may neither settle operations nor create a withdrawal without funds.
	requireRefused(t, db, insufficientPrivilege, "update operations set status = 'done'")
	requireRefused(t, db, insufficientPrivilege, "insert into withdrawals default values")
	requireRefused(t, db, insufficientPrivilege, "update withdrawals set status = 'completed'")
	requireRefused(t, db, insufficientPrivilege, "delete from audit_log")
	requireRefused(t, db, insufficientPrivilege, "create function public.post() returns int language sql as 'select 1'")
}

func TestRights_worker_can_only_post(t *testing.T) {
	t.Parallel()
	databases := dbtest.New(t)
	db := databases.Worker()
	fund(t, db, uuid.New(), 5_00)
	for _, table := range ledgerTables {
		requireRefused(t, db, insufficientPrivilege, "insert into ledger."+table+" default values")
		requireRefused(t, db, insufficientPrivilege, "delete from ledger."+table)
		requireRefused(t, db, insufficientPrivilege, "truncate ledger."+table)
	}
	requireRefused(t, db, insufficientPrivilege, "update ledger.accounts set balance = balance + 1")
	requireRefused(t, db, insufficientPrivilege, "update ledger.entries set amount = amount + 1")
	requireRefused(t, db, insufficientPrivilege, "update ledger.entries set xid = '0'")
	requireRefused(t, db, insufficientPrivilege, "update audit_log set action = ''")
	_, err := db.Exec(t.Context(), posting)
	require.NoError(t, err)
}

func TestRights_owner_cannot_change_postings(t *testing.T) {
	t.Parallel()
	databases := dbtest.New(t)
	fund(t, databases.Worker(), uuid.New(), 5_00)
	db := databases.Owner()
	for _, table := range []string{"transfers", "entries"} {
		requireRefused(t, db, restrictViolation, "delete from ledger."+table)
		requireRefused(t, db, restrictViolation, "truncate ledger."+table)
		requireRefused(t, db, restrictViolation, fmt.Sprintf("update ledger.%s set at = at", table))
	}
	for _, column := range []string{"transfer_id", "account_id", "currency", "amount", "balance_after", "version"} {
		requireRefused(t, db, restrictViolation, fmt.Sprintf("update ledger.entries set %s = null", column))
	}
	requireRefused(t, db, restrictViolation, "delete from ledger.accounts")
	requireRefused(t, db, checkViolation, "update ledger.accounts set balance = -1 where kind = 'wallet'")
	requireRefused(t, db, checkViolation, "update ledger.accounts set balance = 1 where kind = 'exchange'")
	requireRefused(t, db, restrictViolation, "update audit_log set action = ''")
}

func TestEntries_unbalanced(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	fund(t, db.Worker(), uuid.New(), 5_00)
	owner := db.Owner()
	const entry = `insert into ledger.entries (transfer_id, account_id, currency, amount, at) values `

	requireRefused(t, owner, checkViolation, entry+`(99, 1, 'USD', 5, '2026-11-20'), (99, 2, 'USD', -5, '2026-11-20')`)
	// A leg added later to a posted transfer.
	requireRefused(t, owner, checkViolation, entry+`(1, 99, 'USD', 5, '2026-11-20')`)

	attempt := func(count int, rows string) {
		t.Helper()
		err := pgx.BeginFunc(t.Context(), owner, func(tx pgx.Tx) error {
			var id int64
			err := tx.QueryRow(t.Context(), `insert into ledger.transfers (key, kind, request_hash, entry_count, at)
				values (gen_random_uuid()::text, 'test', '', $1, '2026-11-20') returning id`, count).Scan(&id)
			require.NoError(t, err)
			_, err = tx.Exec(t.Context(), fmt.Sprintf(entry+rows, id, id))
			return err
		})
		var pgErr *pgconn.PgError
		require.ErrorAs(t, err, &pgErr)
		require.Equal(t, checkViolation, pgErr.Code)
	}
	attempt(2, `(%d, 1, 'USD', 5, '2026-11-20'), (%d, 2, 'USD', -4, '2026-11-20')`)
	attempt(2, `(%d, 1, 'USD', 5, '2026-11-20'), (%d, 2, 'BDT', -5, '2026-11-20')`)
	attempt(3, `(%d, 1, 'USD', 5, '2026-11-20'), (%d, 2, 'USD', -5, '2026-11-20')`)
}

// A session with its own table or function ahead of ours in the search path must not change what
// ledger.post does.
func TestPost_ignores_search_path(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t).Worker()
	conn, err := db.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	exec := func(sql string) {
		t.Helper()
		_, err := conn.Exec(context.WithoutCancel(t.Context()), sql)
		require.NoError(t, err, sql)
	}
	exec("create temporary table accounts (id bigint, kind text, owner_id uuid, currency text, stored boolean, balance bigint)")
	exec("set search_path = pg_temp, public")
	exec(posting)
	var balance int64
	require.NoError(t, conn.QueryRow(t.Context(), "select balance from ledger.accounts where kind = 'wallet'").Scan(&balance))
	require.EqualValues(t, 100, balance)
}

var update = flag.Bool("update", false, "write the actual rights to testdata")

// Every privilege of the two logins on our objects, one per line. Privileges on all columns of a
// table are those of the table.
const sqlRights = `
with given (object, grantee, right_) as (
  select n.nspname || '.' || c.relname, x.grantee, x.privilege_type
    from pg_class c join pg_namespace n on n.oid = c.relnamespace, aclexplode(c.relacl) x
  union all
  select n.nspname || '.' || c.relname, x.grantee,
         x.privilege_type || ' (' || string_agg(a.attname, ', ' order by a.attname collate "C") || ')'
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace, aclexplode(a.attacl) x
   group by n.nspname, c.relname, x.grantee, x.privilege_type
  union all
  select n.nspname || '.' || p.proname || '()', x.grantee, x.privilege_type
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace, aclexplode(p.proacl) x
  union all
  select n.nspname, x.grantee, x.privilege_type from pg_namespace n, aclexplode(n.nspacl) x
)
select line
  from (select r.rolname || ' ' || g.object || ': ' || string_agg(distinct g.right_, ', ') as line
          from given g join pg_roles r on r.oid = g.grantee
         where r.rolname in ('amanat_api', 'amanat_worker')
         group by r.rolname, g.object) l
 order by line collate "C"`

// The golden file lists the privileges of api and worker, so that any change of them shows in
// review. After a change of migrations or grants.sql, run
//
//	go test ./internal/money/ledger -run TestRights_golden -update
func TestRights_golden(t *testing.T) {
	t.Parallel()
	const golden = "testdata/rights.txt"
	rows, err := dbtest.New(t).Owner().Query(t.Context(), sqlRights)
	require.NoError(t, err)
	rights, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	text := strings.Join(rights, "\n") + "\n"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(text), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), text)
}

// The api may not write these columns, though it may write other columns of the same tables.
func TestRights_api_protected_columns(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t).API()
	for _, sql := range []string{
		"update users set is_admin = true",
		"update users set withdrawals_held_at = null",
		"update users set referred_by = null",
		"update users set referral_code = 'x'",
		"insert into users (id, is_admin) values (gen_random_uuid(), true)",
		"update deals set seller_id = buyer_id",
		"update deals set buyer_id = seller_id",
		"update deals set price = 1",
		"update deals set fee = 0",
		"update deals set due_at = now()",
		"update deposits set user_id = null",
		"update deposits set claimed_amount = 1",
		"update deposits set rate = 1",
		"insert into operations (id, status) values (gen_random_uuid(), 'done')",
		"insert into operations (id, finished_at) values (gen_random_uuid(), now())",
		"insert into referral_rewards default values",
	} {
		t.Run(sql, func(t *testing.T) {
			t.Parallel()
			requireRefused(t, db, insufficientPrivilege, sql)
		})
	}
}

func TestCheckRole(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	for name, tc := range map[string]struct {
		pool    *pgxpool.Pool
		posts   bool
		refusal string
	}{
		"api as itself":       {db.API(), false, ""},
		"api as the worker":   {db.Worker(), false, "can move money"},
		"api as the owner":    {db.Owner(), false, "can move money"},
		"worker as itself":    {db.Worker(), true, ""},
		"worker as the api":   {db.API(), true, "cannot move money"},
		"worker as the owner": {db.Owner(), true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := ledger.CheckRole(t.Context(), tc.pool, tc.posts)
			if tc.refusal == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tc.refusal)
		})
	}
}
