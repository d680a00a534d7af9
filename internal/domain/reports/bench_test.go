package reports_test

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/reports"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/chain"
	"amanat/internal/testing/dbtest"
)

// benchTransfers returns the size of the ledger. The target, a whole check in ten minutes for
// 10 million transfers on two cores, applies to AMANAT_BENCH_TRANSFERS=10000000.
func benchTransfers(b *testing.B) int {
	b.Helper()
	if size := os.Getenv("AMANAT_BENCH_TRANSFERS"); size != "" {
		n, err := strconv.Atoi(size)
		require.NoError(b, err)
		return n
	}
	if os.Getenv("AMANAT_BENCH") == "large" {
		return 1_000_000
	}
	return 20_000
}

// BenchmarkReconcile checks the books of a generated ledger: whole, and since a
// checkpoint that is as old as the last hundredth of its transfers. It logs the seconds of each
// rule. It also seals and verifies the ledger.
func BenchmarkReconcile(b *testing.B) {
	db := dbtest.New(b)
	transfers := benchTransfers(b)
	start := time.Now()
	generate(b, db.Owner(), transfers)
	b.Logf("generated %d transfers in %s", transfers, time.Since(start))
	once := func(name string, do func() error) {
		b.Helper()
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, do())
			}
		})
	}
	check := func(o reports.CheckOptions) error {
		o.Observe = func(rule string, took time.Duration) { b.Logf("  %-58.58s %8.2f s", rule, took.Seconds()) }
		check, err := reports.CheckBooks(b.Context(), db.Worker(), o)
		require.Empty(b, check.Findings)
		require.Equal(b, !o.Short, check.Whole)
		return err
	}
	once("whole", func() error { return check(reports.CheckOptions{}) })
	once("seal", func() error {
		_, err := (&chain.Sealer{DB: db.Worker()}).Seal(b.Context(), time.Now())
		return err
	})
	once("verify", func() error {
		results, err := chain.Verify(b.Context(), db.Worker(), chain.Options{})
		require.Empty(b, results[0].Findings)
		return err
	})
	_, err := db.Worker().Exec(b.Context(), sqlBenchCheckpoint, postgres.Args{"settled": transfers - transfers/100})
	require.NoError(b, err)
	once("short", func() error { return check(reports.CheckOptions{Short: true}) })
}

// The checkpoint's transaction ID is later than the generator's, so that no row of another table
// counts as changed.
const sqlBenchCheckpoint = `
insert into books_checkpoints (checked_at, whole_at, settled, horizon, cluster)
select '2026-01-01', '2026-01-01', @settled, pg_snapshot_xmin(pg_current_snapshot()), c.system_identifier
  from pg_control_system() c`

// generate fills the ledger: a tenth of the transfers are deposits, one for each user, and the rest
// are payments and completions of deals between them.
func generate(tb testing.TB, db *pgxpool.Pool, transfers int) {
	tb.Helper()
	users := max(transfers/10, 2)
	deals := (transfers - users) / 2
	conn, err := db.Acquire(tb.Context())
	require.NoError(tb, err)
	defer conn.Release()
	for _, sql := range generators {
		_, err := conn.Exec(tb.Context(), sql, postgres.Args{"users": users, "deals": deals})
		require.NoError(tb, err, sql)
	}
}

// The rows are written without triggers and in one pass; each statement may use @users and @deals.
var generators = []string{
	`set session_replication_role = replica`,
	`set statement_timeout = 0`,
	`insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
	select md5('user' || i)::uuid, 'user' || i, 'user' || i, '', 'user' || i, '2025-01-01', '2025-01-01'
	  from generate_series(0, @users::int - 1) i`,
	`insert into deposits (id, user_id, payment_method, transaction_id, claimed_amount, amount, rate, converted_amount, status,
	                       created_at, handled_at)
	select md5('deposit' || i)::uuid, md5('user' || i)::uuid, 'Bkash', upper(left(md5('deposit' || i), 12)), 100000, 100000, 123,
	       12300000, 'completed', '2025-01-01', '2025-01-01'
	  from generate_series(0, @users::int - 1) i`,
	`insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, status, created_at, due_at,
	                    activated_at, closed_at, close_reason)
	select md5('deal' || i)::uuid, md5('user' || i % @users)::uuid, md5('user' || (i + 1) % @users)::uuid,
	       md5('user' || i % @users)::uuid, 1000, 20, 'A logo', 1, 'Completed', '2025-01-01', '2025-01-02', '2025-01-01',
	       '2025-01-02', 'completed'
	  from generate_series(0, @deals::int - 1) i`,
	`insert into ledger.accounts (kind, currency) values ('bkash', 'BDT'), ('exchange', 'BDT'), ('exchange', 'USD'), ('fees', 'USD')`,
	`insert into ledger.accounts (kind, owner_id, currency, balance, version)
	select 'wallet', md5('user' || i)::uuid, 'USD', 0, 0 from generate_series(0, @users::int - 1) i`,
	`insert into ledger.accounts (kind, owner_id, currency, balance, version)
	select 'escrow', md5('deal' || i)::uuid, 'USD', 0, 2 from generate_series(0, @deals::int - 1) i`,
	`create temporary table made as
	select n, kind, subject, step, i from (
	  select i + 1 as n, 'deposit_approve' as kind, 'deposit:' || md5('deposit' || i)::uuid as subject, 'approve' as step, i
	    from generate_series(0, @users::int - 1) i
	  union all
	  select @users + 2 * i + k.n, k.kind, 'deal:' || md5('deal' || i)::uuid, k.step, i
	    from generate_series(0, @deals::int - 1) i,
	         (values (1, 'deal_pay', 'pay'), (2, 'deal_complete', 'close')) k (n, kind, step)) m`,
	`insert into ledger.transfers (key, kind, request_hash, entry_count, at)
	select subject || ':' || step, kind, sha256(subject::bytea),
	       case kind when 'deposit_approve' then 4 when 'deal_pay' then 2 else 3 end, '2025-01-01'
	  from made order by n`,
	`insert into operations (id, kind, subject, params, status, created_at, finished_at)
	select gen_random_uuid(), kind, subject, case kind when 'deposit_approve' then '{"amount": 1000.00}'::jsonb else '{}' end, 'done',
	       '2025-01-01', '2025-01-01'
	  from made`,
	`insert into audit_log (at, action, subject, details)
	select '2025-01-01', 'deposit.approve', 'deposit:' || md5('deposit' || i)::uuid, '{"amount": 1000.00}'
	  from generate_series(0, @users::int - 1) i`,
	// Accounts 1 to 4 are the platform's, then come the wallets and the escrows.
	`insert into ledger.entries (transfer_id, account_id, currency, amount, balance_after, version, at)
	select n, account, currency, amount,
	       case when account > 4 then sum(amount) over w end, case when account > 4 then count(*) over w end, '2025-01-01'
	  from (select m.n, e.account, e.currency, e.amount::bigint
	          from made m, lateral (values
	            ('deposit_approve', 1, 'BDT', -12300000), ('deposit_approve', 2, 'BDT', 12300000),
	            ('deposit_approve', 3, 'USD', -100000), ('deposit_approve', 5 + m.i, 'USD', 100000),
	            ('deal_pay', 5 + m.i % @users, 'USD', -1000), ('deal_pay', 5 + @users + m.i, 'USD', 1000),
	            ('deal_complete', 5 + @users + m.i, 'USD', -1000), ('deal_complete', 5 + (m.i + 1) % @users, 'USD', 980),
	            ('deal_complete', 4, 'USD', 20)) e (kind, account, currency, amount)
	         where e.kind = m.kind) e
	window w as (partition by account order by n)`,
	`update ledger.accounts a set balance = l.balance_after, version = l.version
	  from (select distinct on (account_id) account_id, balance_after, version from ledger.entries
	         where version is not null order by account_id, version desc) l
	 where l.account_id = a.id`,
	`drop table made`,
	`set session_replication_role = default`,
	`select ledger.fold()`, // as a periodic job does
	`vacuum analyze`,       // as autovacuum does
}
