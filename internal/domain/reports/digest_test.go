package reports_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/reports"
	"amanat/internal/testing/dbtest"
	"amanat/internal/testing/soak"
)

// rulesRun checks the books whole. It returns the rules that ran, and those that are broken.
func rulesRun(t *testing.T, db *pgxpool.Pool, o reports.CheckOptions) (ran, broken []string) {
	t.Helper()
	known := reports.Rules()
	o.Observe = func(name string, _ time.Duration) {
		if slices.Contains(known, name) { // and no digest
			ran = append(ran, name)
		}
	}
	check, err := reports.CheckBooks(t.Context(), db, o)
	require.NoError(t, err)
	require.True(t, check.Whole)
	for _, f := range check.Findings {
		broken = append(broken, f.Rule)
	}
	slices.Sort(broken)
	return ran, slices.Compact(broken)
}

// Correct books are checked without the rules that read the whole ledger.
func TestCheckBooks_digests_of_clean_books(t *testing.T) {
	t.Parallel()
	s := &scenario{t: t, db: dbtest.New(t), at: time.Now().Truncate(time.Microsecond)}
	const screened = 11
	empty, _ := rulesRun(t, s.db.Worker(), reports.CheckOptions{})
	require.Len(t, empty, len(reports.Rules())-screened)
	s.seed()
	ran, broken := rulesRun(t, s.db.Worker(), reports.CheckOptions{})
	require.Empty(t, broken)
	require.Equal(t, empty, ran)
	ran, broken = rulesRun(t, s.db.Worker(), reports.CheckOptions{EveryRule: true})
	require.Empty(t, broken)
	require.Equal(t, reports.Rules(), ran)
}

// corruption sets a column of a random row to a value that is likely to be wrong.
type corruption struct{ table, column, kind, value string }

var corruptions = []corruption{
	{"ledger.entries", "amount", "bigint", "amount + 1"},
	{"ledger.entries", "amount", "bigint", "amount - 1"},
	{"ledger.entries", "amount", "bigint", "-amount"},
	{"ledger.entries", "amount", "bigint", "amount + (1::bigint << 44)"},
	{"ledger.entries", "balance_after", "bigint", "balance_after + 1"},
	{"ledger.entries", "balance_after", "bigint", "null"},
	{"ledger.entries", "version", "bigint", "version + 1"},
	{"ledger.entries", "version", "bigint", "null"},
	{"ledger.entries", "version", "bigint", "coalesce(version, 1)"},
	{"ledger.entries", "currency", "text", "case currency when 'USD' then 'BDT' else 'USD' end"},
	{"ledger.entries", "currency", "text", "'EUR'"},
	{"ledger.entries", "account_id", "bigint", "account_id % 8 + 1"},
	{"ledger.entries", "account_id", "bigint", "999"},
	{"ledger.entries", "transfer_id", "bigint", "transfer_id % 8 + 1"},
	{"ledger.entries", "transfer_id", "bigint", "999"},
	{"ledger.transfers", "entry_count", "smallint", "entry_count + 1"},
	{"ledger.transfers", "key", "text", "key || 'x'"},
	{"ledger.transfers", "key", "text", "'x' || key"},
	{"ledger.transfers", "kind", "text", "'deal_refund'"},
	{"ledger.transfers", "kind", "text", "'withdrawal_cancel'"},
	{"ledger.transfers", "actor_id", "uuid", "gen_random_uuid()"},
	{"ledger.accounts", "balance", "bigint", "balance + 1"},
	{"ledger.accounts", "balance", "bigint", "-balance"},
	{"ledger.accounts", "version", "bigint", "version + 1"},
	{"ledger.accounts", "currency", "text", "case currency when 'USD' then 'BDT' else 'USD' end"},
	{"ledger.accounts", "owner_id", "uuid", "gen_random_uuid()"},
	{"operations", "kind", "text", "'deal_refund'"},
	{"operations", "subject", "text", "subject || 'x'"},
	{"operations", "actor_id", "uuid", "gen_random_uuid()"},
	{"deals", "price", "bigint", "price + 1"},
	{"deals", "fee", "bigint", "fee + 1"},
	{"deals", "buyer_id", "uuid", "gen_random_uuid()"},
	{"deals", "seller_id", "uuid", "gen_random_uuid()"},
	{"deals", "status", "text", "'Completed'"},
	{"deals", "refunded_amount", "bigint", "price"},
	{"deals", "activated_at", "timestamptz", "null"},
	{"deposits", "amount", "bigint", "amount + 1"},
	{"deposits", "converted_amount", "bigint", "converted_amount + 1"},
	{"deposits", "payment_method", "text", "'Nagad'"},
	{"deposits", "user_id", "uuid", "gen_random_uuid()"},
	{"withdrawals", "amount", "bigint", "amount + 1"},
	{"withdrawals", "status", "text", "'completed'"},
	{"withdrawals", "status", "text", "'failed'"},
	{"withdrawals", "user_id", "uuid", "gen_random_uuid()"},
	{"referral_rewards", "amount", "bigint", "amount + 1"},
	{"referral_rewards", "referrer_id", "uuid", "gen_random_uuid()"},
	{"referral_rewards", "credited_at", "timestamptz", "null"},
	{"adjustments", "amount", "bigint", "amount + 1"},
	{"adjustments", "user_id", "uuid", "gen_random_uuid()"},
}

// apply returns the statement that undoes it, and whether the row's constraints allow it.
func (c corruption) apply(t *testing.T, conn *pgxpool.Conn, salt string) (undo string, allowed bool) {
	t.Helper()
	var before *string
	var row string
	err := conn.QueryRow(t.Context(), fmt.Sprintf(`
		update %[1]s set %[2]s = %[3]s
		 where ctid = (select ctid from %[1]s where (%[3]s)::text is distinct from (%[2]s)::text order by md5(ctid::text || $1) limit 1)
		returning old.%[2]s::text, ctid::text`, c.table, c.column, c.value), salt).Scan(&before, &row)
	var refused *pgconn.PgError
	if errors.Is(err, pgx.ErrNoRows) || errors.As(err, &refused) && strings.HasPrefix(refused.Code, "23") { // of a constraint
		return "", false
	}
	require.NoError(t, err, "%v", c)
	value := "null"
	if before != nil {
		value = "'" + *before + "'::" + c.kind
	}
	return fmt.Sprintf("update %s set %s = %s where ctid = '%s'", c.table, c.column, value, row), true
}

// Whatever is changed in the books, the check with digests finds what every rule finds.
func TestCheckBooks_digests_hide_nothing(t *testing.T) {
	t.Parallel()
	rounds := soak.Rounds(60, 2000)
	s := &scenario{t: t, db: dbtest.New(t), at: time.Now().Truncate(time.Microsecond)}
	s.seed()
	// The owner of the database can do all of this.
	s.exec(`alter table ledger.accounts drop constraint accounts_floor`)
	s.exec(`alter table ledger.entries drop constraint entries_version`)
	conn, err := s.db.Owner().Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	exec := func(sql string) {
		t.Helper()
		_, err := conn.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	exec(`set session_replication_role = replica`) // no triggers
	seed := rand.Uint64()
	t.Log("seed", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	found := 0
	for range rounds {
		var undo []string
		var done []corruption
		for range 1 + random.IntN(3) {
			c := corruptions[random.IntN(len(corruptions))]
			// A row that is changed twice moves, so that the first change could not be undone.
			if slices.ContainsFunc(done, func(d corruption) bool { return d.table == c.table }) {
				continue
			}
			if sql, allowed := c.apply(t, conn, strconv.FormatUint(random.Uint64(), 10)); allowed {
				undo, done = append(undo, sql), append(done, c)
			}
		}
		_, screened := rulesRun(t, s.db.Worker(), reports.CheckOptions{})
		_, all := rulesRun(t, s.db.Worker(), reports.CheckOptions{EveryRule: true})
		require.Equal(t, all, screened, "%v", done)
		if len(all) > 0 {
			found++
		}
		for _, sql := range slices.Backward(undo) {
			exec(sql)
		}
	}
	require.Greater(t, found, rounds/2)
	_, broken := rulesRun(t, s.db.Worker(), reports.CheckOptions{})
	require.Empty(t, broken, "all is undone")
}
