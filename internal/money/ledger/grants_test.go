package ledger_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/money/ledger"
	"amanat/internal/testing/dbtest"
)

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
