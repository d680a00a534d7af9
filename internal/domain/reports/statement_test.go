package reports_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"amanat/internal/domain/reports"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/ledger"
	"amanat/internal/testing/dbtest"
)

var firstDay = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// move posts an amount into a wallet, or out of it if it is negative, as a movement of a noun.
func move(ctx context.Context, t require.TestingT, worker *pgxpool.Pool, user uuid.UUID, noun string, amount int64, at time.Time) {
	leg := ledger.Move(ledger.ExchangeUSD(), ledger.Wallet(user), money.Cents(amount))
	if amount < 0 {
		leg = ledger.Move(ledger.Wallet(user), ledger.ExchangeUSD(), money.Cents(-amount))
	}
	require.NoError(t, postgres.WithTx(ctx, worker, func(tx *postgres.Tx) error {
		return ledger.Post(ctx, tx, ledger.Transfer{
			Key: noun + ":" + uuid.NewString() + ":test", Kind: "test", At: at, Legs: []ledger.Leg{leg},
		})
	}))
}

// Whatever the history, and whichever way it is cut into periods: the periods have each movement
// once, each begins with the balance at which the one before ends, and the last ends with the
// wallet's balance. Business times of neighbours may be in the wrong order.
func TestStatement_periods_add_up(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	service := &reports.Service{DB: db.API()}
	everything := postgres.Page{Limit: 1000}
	rapid.Check(t, func(r *rapid.T) {
		user, balance := uuid.New(), int64(0)
		moves := rapid.IntRange(0, 12).Draw(r, "moves")
		for i := range moves {
			amount := rapid.Int64Range(-balance, 1_000_00).Filter(func(v int64) bool { return v != 0 }).Draw(r, "amount")
			at := firstDay.Add(time.Duration(i)*time.Hour + time.Duration(rapid.IntRange(-90, 90).Draw(r, "minutes"))*time.Minute)
			noun := rapid.SampledFrom([]string{"deal", "deposit", "withdrawal", "reward"}).Draw(r, "noun")
			move(r.Context(), r, db.Worker(), user, noun, amount, at)
			balance += amount
		}
		cuts := rapid.SliceOfN(rapid.IntRange(-120, 15*60), 0, 3).Draw(r, "cuts")
		var from *time.Time
		reached, seen := money.Cents(0), 0
		for i := range len(cuts) + 1 {
			var to *time.Time
			if i < len(cuts) {
				at := firstDay.Add(time.Duration(cuts[i]) * time.Minute)
				if from != nil && at.Before(*from) {
					at = *from
				}
				to = &at
			}
			s, err := service.Statement(r.Context(), user, reports.StatementFilter{Period: reports.Period{From: from, To: to}}, everything)
			require.NoError(r, err)
			require.Equal(r, reached, s.Opening)
			require.Equal(r, s.Closing, s.Opening+s.In-s.Out)
			require.Len(r, s.Lines, s.Count)
			for j := len(s.Lines) - 1; j >= 0; j-- { // the latest comes first
				reached += s.Lines[j].Amount
				require.Equal(r, reached, s.Lines[j].BalanceAfter)
			}
			require.Equal(r, reached, s.Closing)
			seen += s.Count
			from = to
		}
		require.Equal(r, moves, seen)
		require.Equal(r, money.Cents(balance), reached)
		kinds := 0
		for _, kind := range []reports.StatementKind{
			reports.StatementDeals, reports.StatementDeposits, reports.StatementWithdrawals, reports.StatementRewards,
		} {
			s, err := service.Statement(r.Context(), user, reports.StatementFilter{Kind: kind}, everything)
			require.NoError(r, err)
			require.Len(r, s.Lines, s.Count)
			kinds += s.Count
		}
		require.Equal(r, moves, kinds)
	})
}

// The parts of a statement are its pages, the other way round, and end where they are told to.
func TestStatementParts(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	service := &reports.Service{DB: db.API()}
	user, all := uuid.New(), reports.StatementFilter{}
	for i := range 12 {
		move(t.Context(), t, db.Worker(), user, "deposit", int64(i+1), firstDay.Add(time.Duration(i)*time.Minute))
	}
	read := func(most int) (amounts []money.Cents) {
		t.Helper()
		calls := 0
		err := service.StatementParts(t.Context(), user, all, most, func(sums reports.Statement, lines []reports.StatementLine) error {
			require.Equal(t, 12, sums.Count)
			require.Equal(t, calls == 0, len(lines) == 0, "first the sums")
			calls++
			for _, line := range lines {
				amounts = append(amounts, line.Amount)
			}
			return nil
		})
		require.NoError(t, err)
		return amounts
	}
	require.Equal(t, []money.Cents{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, read(1000))
	require.Equal(t, []money.Cents{1, 2, 3, 4, 5}, read(5))

	page, err := service.Statement(t.Context(), user, reports.StatementFilter{}, postgres.Page{Limit: 5, Offset: 10})
	require.NoError(t, err)
	require.Equal(t, []money.Cents{2, 1}, []money.Cents{page.Lines[0].Amount, page.Lines[1].Amount})

	nobody := 0
	err = service.StatementParts(t.Context(), uuid.New(), all, 10, func(sums reports.Statement, lines []reports.StatementLine) error {
		nobody++
		require.Zero(t, sums.Count+len(lines))
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, 1, nobody)
}

// The statements for operators find transfers and their operations by indexes, however many there
// are.
func TestOperatorStatements_plans_use_indexes(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	generate(t, db.Owner(), 2_000)
	db.Grow(20, "users", "deals", "deposits", "operations", "ledger.transfers", "ledger.entries", "ledger.accounts")
	var deal, user uuid.UUID
	require.NoError(t, db.Owner().QueryRow(t.Context(), `select md5('deal7')::uuid, md5('user7')::uuid`).Scan(&deal, &user))
	for name, use := range map[string]func(s *reports.Service){
		"of a deal": func(s *reports.Service) {
			lines, err := s.DealStatement(t.Context(), deal)
			require.NoError(t, err)
			require.Len(t, lines, 3)
		},
		"of a user": func(s *reports.Service) {
			moved := 0
			err := s.TracedStatementParts(t.Context(), user, reports.StatementFilter{}, func(_ reports.Statement, lines []reports.TracedLine) error {
				moved += len(lines)
				return nil
			})
			require.NoError(t, err)
			require.NotZero(t, moved)
		},
	} {
		plans := dbtest.Explain(t, db, func(pool *pgxpool.Pool) {
			for range 10 { // after five executions PostgreSQL may choose a generic plan
				use(&reports.Service{DB: pool})
			}
		})
		require.Contains(t, plans, "operations_subject", name)
		require.NotContains(t, plans, "Seq Scan on operations", name)
		require.NotContains(t, plans, "Seq Scan on transfers", name)
		require.NotContains(t, plans, "Seq Scan on entries", name)
	}
}

// A history that is too long starts later, with the balance at that time.
func TestWalletHistory_drops_oldest(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	user, at := uuid.New(), time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	const most = 1_000
	post := func(from, to int) {
		require.NoError(t, postgres.WithTx(t.Context(), db.Worker(), func(tx *postgres.Tx) error {
			for i := from; i <= to; i++ {
				err := ledger.Post(t.Context(), tx, ledger.Transfer{
					Key: "reward:" + uuid.NewString() + ":credit", Kind: "referral_credit", At: at.Add(time.Duration(i) * time.Second),
					Legs: []ledger.Leg{ledger.Move(ledger.ReferralPayable(), ledger.Wallet(user), 1)},
				})
				if err != nil {
					return err
				}
			}
			return nil
		}))
	}
	read := func() reports.WalletHistory {
		history, err := (&reports.Service{DB: db.API()}).WalletHistory(t.Context(), user, at)
		require.NoError(t, err)
		require.Len(t, history.Movements, most)
		require.Equal(t, history.Opening+1, history.Movements[0].BalanceAfter)
		return history
	}
	post(1, most)
	history := read()
	require.True(t, history.Complete)
	require.EqualValues(t, 0, history.Opening)

	post(most+1, most+2)
	history = read()
	require.False(t, history.Complete)
	require.Equal(t, money.Cents(2), history.Opening)
	require.Equal(t, at.Add((most+2)*time.Second), history.Movements[most-1].At.UTC())
}
