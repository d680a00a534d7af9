package trust_test

import (
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/domain/notifications"
	"amanat/internal/domain/trust"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
	"amanat/queue/jobs"
)

// nobody receives no events.
type nobody struct{}

func (nobody) PublishFrame(uuid.UUID, realtime.Frame) {}
func (nobody) PublishAdmins(realtime.Frame)           {}
func (nobody) OperationSettled(uuid.UUID)             {}

// Every user has one deal to pay.
const sqlUnpaid = `
insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, status, created_at, due_at, accepted_at,
                   next_action, next_action_at)
select gen_random_uuid(), b.id, s.id, s.id, 100, 2, 'A logo', 7, 'Pending', @at, @at::timestamptz + interval '1 year', @at,
       'expire', @at::timestamptz + interval '1 year'
  from users b join users s on s.username = 'user' || (substr(b.username, 5)::int + 1) % 1000
returning id, buyer_id`

const sqlRich = `
insert into ledger.accounts (kind, owner_id, currency, balance)
select 'wallet', id, 'USD', 100000 from users`

// BenchmarkRequestPay reports the median times of requests for payments of users with 400 completed
// deals each: without limits, of accounts that have none, and of accounts that have some. They take
// turns, so that what else the machine does slows all of them. A thousand payments are possible:
// -run '^$' -bench RequestPay -benchtime 300x.
func BenchmarkRequestPay(b *testing.B) {
	db := dbtest.New(b)
	at := time.Now()
	exec := func(sql string) {
		_, err := db.Owner().Exec(b.Context(), sql, postgres.Args{"at": at, "users": 1000, "hours": 200})
		require.NoError(b, err)
	}
	exec(sqlCrowd)
	exec(sqlRich)
	rows, err := db.Owner().Query(b.Context(), sqlUnpaid, postgres.Args{"at": at})
	require.NoError(b, err)
	type unpaid struct{ ID, BuyerID uuid.UUID }
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[unpaid])
	require.NoError(b, err)
	exec(`vacuum analyze`)
	kinds := []struct {
		name    string
		service *deals.Service
		took    []time.Duration
	}{
		{name: "off", service: newDeals(b, db, nil)},
		{name: "unlimited", service: newDeals(b, db, trust.Limits{trust.Trusted: {}})},
		{name: "limited", service: newDeals(b, db, trust.Limits{trust.Trusted: {Deal: 1_000_000_00, Paid: 1_000_000_00}})},
	}
	require.LessOrEqual(b, b.N*len(kinds), len(all))
	b.ResetTimer()
	for range b.N {
		for i := range kinds {
			started := time.Now()
			_, err := kinds[i].service.RequestPay(b.Context(), all[0].BuyerID, all[0].ID, deals.AnyTerms, nil)
			kinds[i].took = append(kinds[i].took, time.Since(started))
			require.NoError(b, err)
			all = all[1:]
		}
	}
	for _, kind := range kinds {
		slices.Sort(kind.took)
		b.ReportMetric(float64(kind.took[len(kind.took)/2].Microseconds()), kind.name+"-µs")
	}
}

func newDeals(tb testing.TB, db *dbtest.DB, limits trust.Limits) *deals.Service {
	tb.Helper()
	now := clock.NewOffset(0)
	inserter, err := jobs.NewInserter(db.API(), slog.New(slog.DiscardHandler))
	require.NoError(tb, err)
	events := &realtime.Log{Clock: now, Publish: nobody{}}
	return &deals.Service{
		DB: db.API(), Clock: now, Events: events, Jobs: inserter,
		Operations: &operations.Service{DB: db.API(), Clock: now, Enqueuer: inserter, Events: events, Announce: nobody{}},
		Notices:    &notifications.Service{DB: db.API(), Clock: now, Events: events},
		Limits:     &trust.Service{DB: db.API(), Clock: now, Limits: limits},
	}
}
