package trust_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/trust"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
)

const day = 24 * time.Hour

var limits = trust.Limits{
	trust.New: {Deal: 200_00, Paid: 500_00, Withdrawn: 200_00}, trust.Basic: {Deal: 1000_00, Paid: 3000_00, Withdrawn: 1000_00},
	trust.Established: {Deal: 10_000_00, Paid: 30_000_00, Withdrawn: 10_000_00}, trust.Trusted: {},
}

type fixture struct {
	*trust.Service
	t     *testing.T
	db    *dbtest.DB
	clock *clock.Offset
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	db, now := dbtest.New(t), clock.NewOffset(0)
	return &fixture{&trust.Service{DB: db.API(), Clock: now, Limits: limits}, t, db, now}
}

func (f *fixture) exec(sql string, args ...any) {
	f.t.Helper()
	_, err := f.db.Owner().Exec(f.t.Context(), sql, args...)
	require.NoError(f.t, err)
}

// user creates a user with a verified address who signed up some time ago.
func (f *fixture) user(name string, age time.Duration) uuid.UUID {
	f.t.Helper()
	id := uuid.Must(uuid.NewV7())
	f.exec(`insert into users (id, username, email, password_hash, is_verified, referral_code, terms_accepted_at, created_at)
		values ($1, $2, $2 || '@example.com', '', true, $2, $3, $3)`, id, name, f.clock.Now().Add(-age))
	return id
}

// deal inserts a deal that its seller accepted and its buyer paid some time ago.
func (f *fixture) deal(buyer, seller uuid.UUID, status string, cents int, ago time.Duration) {
	f.t.Helper()
	f.exec(`
		insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, status, created_at, due_at, accepted_at,
		                   activated_at, closed_at)
		values (gen_random_uuid(), $1, $2, $1, $3, ($3::bigint * 2 + 50) / 100, 'A logo', 7, $4::text, $5::timestamptz, $5, $5, $5,
		        case when $4 <> 'Active' then $5 end)`,
		buyer, seller, cents, status, f.clock.Now().Add(-ago))
}

func (f *fixture) withdrawal(user uuid.UUID, status string, cents int, ago time.Duration) {
	f.t.Helper()
	f.exec(`
		insert into withdrawals (id, user_id, payment_method, phone_number, amount, rate, converted_amount, requested_at, status, handled_at)
		values (gen_random_uuid(), $1, 'Bkash', '01712345678', $2::bigint, 120, $2 * 120, $3::timestamptz, $4::text,
		        case when $4 <> 'pending' then $3 end)`,
		user, cents, f.clock.Now().Add(-ago), status)
}

func (f *fixture) overview(user uuid.UUID) trust.Overview {
	f.t.Helper()
	seen, err := f.Overview(f.t.Context(), user)
	require.NoError(f.t, err)
	return seen
}

// Deals count in both roles, and each partner once in both together.
func TestOverview_counts_deals_and_partners(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user := f.user("user", 100*day)
	var others []uuid.UUID
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		others = append(others, f.user(name, day))
	}
	for range 4 {
		f.deal(user, others[0], "Completed", 1_00, 50*day)
		f.deal(others[0], user, "Completed", 1_00, 50*day)
	}
	f.deal(user, others[1], "Cancelled", 1_00, 50*day)
	f.deal(others[1], user, "Active", 1_00, 50*day)
	f.deal(user, others[2], "Completed", 1_00, 50*day) // of which a dispute gave most back
	f.deal(others[3], user, "Completed", 1_00, 50*day)
	f.exec(`update deals set refunded_amount = 51, settled_fee = 0 where seller_id = $1 or buyer_id = $2`, others[2], others[3])
	f.deal(user, others[4], "Completed", 99, 50*day)
	f.deal(others[4], user, "Completed", 1_00, 50*day) // which its seller never accepted
	f.exec(`update deals set accepted_at = null where buyer_id = $1`, others[4])
	seen := f.overview(user)
	require.Equal(t, trust.Basic, seen.Level)
	require.Equal(t, []trust.Need{{Kind: trust.Partners, Have: 1, Need: 2}}, seen.Next.Needs)
	require.Equal(t, limits[trust.Established], seen.Next.Limit)

	f.deal(others[1], user, "Completed", 1_00, 50*day)
	f.deal(user, others[1], "Completed", 1_00, 50*day)
	f.deal(user, others[2], "Completed", 1_00, 50*day)
	seen = f.overview(user)
	require.Equal(t, trust.Established, seen.Level)
	require.Equal(t, []trust.Need{
		{Kind: trust.Partners, Have: 3, Need: 5}, {Kind: trust.SecondFactor, Have: 0, Need: 1},
	}, seen.Next.Needs, "ten deals are enough")

	f.deal(others[3], user, "Completed", 1_00, 50*day)
	f.deal(user, others[4], "Completed", 1_00, 50*day)
	f.exec(`update users set second_factor_since = $2 where id = $1`, user, f.clock.Now())
	seen = f.overview(user)
	require.Equal(t, trust.Trusted, seen.Level)
	require.Nil(t, seen.Next)
}

// A payment counts for 24 hours, whatever becomes of the deal; a withdrawal unless it failed.
func TestOverview_use(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, other := f.user("user", 2*day), f.user("other", 2*day)
	f.deal(user, other, "Active", 10_00, time.Hour)
	f.deal(user, other, "Cancelled", 20_00, 2*time.Hour)
	f.deal(user, other, "Completed", 40_00, day) // a moment too old
	f.deal(other, user, "Active", 80_00, time.Hour)
	f.withdrawal(user, "pending", 1_00, time.Hour)
	f.withdrawal(user, "completed", 2_00, time.Hour)
	f.withdrawal(user, "failed", 4_00, time.Hour)
	f.withdrawal(user, "completed", 8_00, day)
	require.Equal(t, trust.Use{Paid: 30_00, Withdrawn: 3_00}, f.overview(user).Used)
	f.clock.Advance(22 * time.Hour)
	require.Equal(t, trust.Use{Paid: 10_00, Withdrawn: 3_00}, f.overview(user).Used)
	f.clock.Advance(time.Hour)
	require.Equal(t, trust.Use{}, f.overview(user).Used)
}

// A user whose level has dropped may have used more than it allows.
func TestCheck_more_used_than_allowed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user, other := f.user("user", 2*day), f.user("other", 2*day)
	f.deal(user, other, "Active", 3000_01, time.Hour)
	f.withdrawal(user, "completed", 1000_01, time.Hour)
	err := postgres.WithTx(t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		require.ErrorContains(t, f.CheckWithdrawal(t.Context(), tx, user, uuid.New(), 1), "You can withdraw up to $0.00 more today.")
		check := f.QueuePayment(tx, user)
		require.NoError(t, tx.Flush(t.Context()))
		return check(t.Context(), uuid.New(), 1)
	})
	require.ErrorContains(t, err, "You can pay up to $0.00 more today.")
}

// Without limits nothing is read, and everything is allowed.
func TestUnlimited(t *testing.T) {
	t.Parallel()
	s := trust.Unlimited()
	require.NoError(t, s.CheckPrice(t.Context(), nil, uuid.New(), 1_000_000_00))
	require.NoError(t, s.CheckWithdrawal(t.Context(), nil, uuid.New(), uuid.New(), 1_000_000_00))
	require.NoError(t, s.QueuePayment(nil, uuid.New())(t.Context(), uuid.New(), 1_000_000_00))
}

// Each user has completed deals with twenty sellers and twenty buyers: one an hour with one seller
// and one buyer.
const sqlCrowd = `
with people as (
  insert into users (id, username, email, password_hash, is_verified, referral_code, terms_accepted_at, created_at, second_factor_since)
  select gen_random_uuid(), 'user' || n, 'user' || n || '@example.com', 'x', true, 'code' || n, @at,
         @at::timestamptz - interval '1 year', @at
    from generate_series(0, @users::int - 1) n
  returning id, substr(username, 5)::int as n
)
insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, status, created_at, due_at, accepted_at,
                   activated_at, closed_at)
select gen_random_uuid(), b.id, s.id, s.id, 100, 2, 'A logo', 7, 'Completed', @at, @at, @at, @at::timestamptz + i * interval '1 hour', @at
  from people b, generate_series(1, @hours::int) i, people s
 where s.n = (b.n + 1 + i % 20) % @users::int`

// Each user has requested all their deals' payments, and one is pending.
const sqlRequests = `
insert into operations (id, kind, subject, actor_id, params, status, created_at, finished_at)
select gen_random_uuid(), 'deal_pay', 'deal:' || id, buyer_id, '{}', case when latest then 'pending' else 'done' end, activated_at,
       case when not latest then activated_at end
  from (select id, buyer_id, activated_at, row_number() over (partition by buyer_id order by activated_at desc) = 1 as latest
          from deals) d`

// What a payment reads to find the level and the use is bounded, in indexes alone: a trusted user
// with hundreds of deals pays no more for it than others.
func TestLimits_plans_use_indexes(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	at := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	_, err := db.Owner().Exec(t.Context(), sqlCrowd, postgres.Args{"at": at, "users": 200, "hours": 40})
	require.NoError(t, err)
	_, err = db.Owner().Exec(t.Context(), sqlRequests)
	require.NoError(t, err)
	db.Grow(25, "users", "deals", "operations", "withdrawals")
	var user uuid.UUID
	require.NoError(t, db.Owner().QueryRow(t.Context(), `select id from users where username = 'user7'`).Scan(&user))
	now := clock.NewOffset(time.Until(at.Add(30 * time.Hour)))
	limited := trust.Limits{trust.Trusted: {Paid: 100_00}}

	plans := dbtest.Explain(t, db, func(pool *pgxpool.Pool) {
		s := &trust.Service{DB: pool, Clock: now, Limits: limited}
		err := postgres.WithTx(t.Context(), pool, func(tx *postgres.Tx) error {
			check := s.QueuePayment(tx, user)
			if err := tx.Flush(t.Context()); err != nil {
				return err
			}
			return check(t.Context(), uuid.New(), 65_01)
		})
		require.Equal(t, fault.Conflict, fault.CodeOf(err))
		require.ErrorContains(t, err, "You can pay up to $65.00 more today.")
	})
	for _, index := range []string{"deals_counted_buyer", "deals_counted_seller", "deals_paid"} {
		require.Contains(t, plans, "Index Only Scan using "+index, plans)
	}
	require.Contains(t, plans, "operations_pending_actor")
	require.NotContains(t, plans, "Seq Scan on deals")
	require.NotContains(t, plans, "deals_status")
	require.Equal(t, strings.Count(plans, "Index Only Scan"), strings.Count(plans, "Heap Fetches: 0"), plans)
}
