package referrals

import (
	"fmt"
	"log/slog"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"amanat/internal/domain/notifications"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
	"amanat/queue/jobs"
)

func TestRewardOf(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		price            money.Cents
		share, referrers int
		each             money.Cents
	}{
		"no referrers":                       {100_00, 100, 0, 0},
		"one":                                {100_00, 100, 1, 1_00},
		"two take the whole fee":             {100_00, 100, 2, 1_00},
		"two within three quarters":          {100_00, 75, 2, 75},
		"one within three quarters":          {100_00, 75, 1, 1_00},
		"two within a half":                  {100_00, 50, 2, 50},
		"one within a half":                  {100_00, 50, 1, 1_00},
		"one within a quarter":               {100_00, 25, 1, 50},
		"no share":                           {100_00, 0, 2, 0},
		"three cents between two":            {1_50, 100, 2, 1},
		"less than a cent":                   {99, 100, 1, 0},
		"rounded down":                       {1_99, 100, 1, 1},
		"highest price":                      {1_000_000_00, 100, 2, 10_000_00},
		"the share rounded down before them": {1_00, 75, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.each, rewardOf(tc.price, money.Fee(tc.price), tc.share, tc.referrers))
		})
	}
}

func TestCreditRule(t *testing.T) {
	t.Parallel()
	got, err := CreditRule()(operations.Operation{Params: []byte(`{}`)})
	require.NoError(t, err)
	require.Equal(t, operations.BySystem, got)
	_, err = CreditRule()(operations.Operation{Params: []byte(`{"to":"me"}`)})
	require.Equal(t, fault.Invalid, fault.CodeOf(err))
}

// silent replaces Redis; the tests read the realtime log in the database.
type silent struct{}

func (silent) PublishFrame(uuid.UUID, realtime.Frame) {}
func (silent) PublishAdmins(realtime.Frame)           {}
func (silent) OperationSettled(uuid.UUID)             {}

// Owe rewards the referrers of both parties, except the parties themselves.
func TestOwe(t *testing.T) {
	t.Parallel()
	const none = ""
	for name, tc := range map[string]struct {
		buyerBy, sellerBy string
		rewarded          []string
	}{
		"no referrers":                                {none, none, nil},
		"buyer referred":                              {"anna", none, []string{"anna"}},
		"seller referred":                             {none, "anna", []string{"anna"}},
		"both by different users":                     {"anna", "bela", []string{"anna", "bela"}},
		"both by the same user once":                  {"anna", "anna", []string{"anna"}},
		"buyer by the seller":                         {"seller", none, nil},
		"seller by the buyer":                         {none, "buyer", nil},
		"buyer by the seller, seller by another user": {"seller", "anna", []string{"anna"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := dbtest.New(t)
			ids := map[string]uuid.UUID{}
			for _, name := range []string{"buyer", "seller", "anna", "bela"} {
				ids[name] = uuid.Must(uuid.NewV7())
				exec(t, db, `
					insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
					values (@id, @name, @name || '@example.com', '', @name, now(), now())`, postgres.Args{"id": ids[name], "name": name})
			}
			for party, by := range map[string]string{"buyer": tc.buyerBy, "seller": tc.sellerBy} {
				if by != none {
					exec(t, db, `update users set referred_by = @by where id = @id`, postgres.Args{"id": ids[party], "by": ids[by]})
				}
			}
			deal := uuid.Must(uuid.NewV7())
			exec(t, db, `
				insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, inspection_days, created_at, due_at)
				values (@id, @buyer, @seller, @seller, 10000, 200, 'A channel', 7, 3, now(), now() + interval '7 days')`,
				postgres.Args{"id": deal, "buyer": ids["buyer"], "seller": ids["seller"]})
			s := newSettler(t, db)
			var sum money.Cents
			require.NoError(t, postgres.WithTx(t.Context(), db.Worker(), func(tx *postgres.Tx) (err error) {
				sum, err = s.Owe(t.Context(), tx, deal, ids["buyer"], ids["seller"], 100_00, 2_00)
				return err
			}))
			require.Equal(t, money.Cents(len(tc.rewarded))*1_00, sum)
			rewarded, err := postgres.Query[string]("test.rewarded", `
				select u.username from referral_rewards r join users u on u.id = r.referrer_id where r.amount = 100 order by 1`).Many(t.Context(),
				db.Owner(), nil)
			require.NoError(t, err)
			require.ElementsMatch(t, tc.rewarded, rewarded)
			asked, err := postgres.Query[int]("test.asked",
				`select count(*) from operations where kind = 'referral_credit' and status = 'pending'`).One(t.Context(), db.Owner(), nil)
			require.NoError(t, err)
			require.Equal(t, len(tc.rewarded), asked, "one credit operation for each")
			earned, err := (&Service{DB: db.API()}).Stats(t.Context(), ids["anna"])
			require.NoError(t, err)
			require.Zero(t, earned.Earnings, "not earned before the credit")
		})
	}
}

func exec(t *testing.T, db *dbtest.DB, sql string, args postgres.Args) {
	t.Helper()
	_, err := db.Owner().Exec(t.Context(), sql, args)
	require.NoError(t, err)
}

func newSettler(t *testing.T, db *dbtest.DB) *Settler {
	t.Helper()
	inserter, err := jobs.NewInserter(db.Worker(), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	now := clock.NewOffset(0)
	events := &realtime.Log{Clock: now, Publish: silent{}}
	return &Settler{
		Share: 100, Clock: now, Events: events,
		Operations: &operations.Service{DB: db.Worker(), Clock: now, Enqueuer: inserter, Events: events, Announce: silent{}},
		Notices:    &notifications.Service{DB: db.Worker(), Clock: now, Events: events},
	}
}

func TestRewardOf_never_exceeds_share(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		price := money.Cents(rapid.Int64Range(1, int64(money.MaxPrice)).Draw(rt, "price"))
		fee := rapid.OneOf(
			rapid.Just(money.Fee(price)),
			// Another version may take another fee.
			rapid.Map(rapid.Int64Range(0, int64(price)), func(n int64) money.Cents { return money.Cents(n) }),
		).Draw(rt, "fee")
		share := rapid.IntRange(0, 100).Draw(rt, "share")
		referrers := rapid.IntRange(0, 2).Draw(rt, "referrers")
		each := rewardOf(price, fee, share, referrers)
		all := each * money.Cents(referrers)
		require.GreaterOrEqual(rt, each, money.Cents(0))
		require.LessOrEqual(rt, each, money.Reward(price), "at most the reward of the price")
		require.LessOrEqual(rt, all*100, fee*money.Cents(share), "together within the share")
		require.GreaterOrEqual(rt, fee-all, money.Cents(0), "at most the fee")
		if referrers > 0 && each < money.Reward(price) {
			require.Greater(rt, (each+1)*money.Cents(referrers)*100, fee*money.Cents(share), "as much as the share allows")
		}
	})
	for _, c := range []struct {
		share, referrers int
		each             money.Cents
	}{
		{100, 1, 1_00}, {100, 2, 1_00}, {75, 2, 75}, {75, 1, 1_00}, {50, 2, 50}, {1, 2, 1}, {0, 2, 0}, {0, 1, 0}, {100, 0, 0},
	} {
		t.Run(fmt.Sprintf("%d%% of the fee to %d", c.share, c.referrers), func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.each, rewardOf(100_00, money.Fee(100_00), c.share, c.referrers))
		})
	}
}
