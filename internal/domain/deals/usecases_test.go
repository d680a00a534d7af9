package deals_test

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/domain/notifications"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
	"amanat/internal/platform/catalog"
	"amanat/internal/platform/clock"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
	"amanat/internal/queue/jobs"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
)

// bench is the service on the api's login with two people. No worker runs: no money moves.
type bench struct {
	*deals.Service
	db            *dbtest.DB
	clock         *clock.Offset
	buyer, seller uuid.UUID
}

// silent stands for Redis: the log in the database is what counts.
type silent struct{}

func (silent) PublishFrame(uuid.UUID, realtime.Frame) {}
func (silent) PublishAdmins(realtime.Frame)           {}
func (silent) OperationSettled(uuid.UUID)             {}

func newBench(t *testing.T) bench {
	t.Helper()
	db := dbtest.New(t)
	now := clock.NewOffset(0)
	inserter, err := jobs.NewInserter(db.API(), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	events := &realtime.Log{Clock: now, Publish: silent{}}
	b := bench{db: db, clock: now, Service: &deals.Service{
		DB: db.API(), Clock: now, Events: events, Jobs: inserter,
		Operations: &operations.Service{DB: db.API(), Clock: now, Enqueuer: inserter, Events: events, Announce: silent{}},
		Notices:    &notifications.Service{DB: db.API(), Clock: now, Events: events, Enqueuer: inserter},
	}}
	b.buyer, b.seller = b.user(t, "rahim"), b.user(t, "karim")
	return b
}

func (b bench) user(t *testing.T, name string) uuid.UUID {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	_, err := b.db.Owner().Exec(t.Context(), `
		insert into users (id, username, email, password_hash, is_verified, referral_code, terms_accepted_at, created_at)
		values ($1, $2, $2 || '@example.com', '', true, $2, now(), now())`, id, name)
	require.NoError(t, err)
	return id
}

func (b bench) draft() deals.Draft {
	return deals.Draft{BuyerID: &b.buyer, SellerID: &b.seller, Price: 100_00, Description: "A channel", DeliveryDays: 7}
}

// offer makes a deal of the actor's.
func (b bench) offer(t *testing.T, actor uuid.UUID) deals.Detail {
	t.Helper()
	d, err := b.Create(t.Context(), actor, b.draft(), nil)
	require.NoError(t, err)
	return d
}

// paid makes a deal whose money is in escrow, as far as this package sees. The worker's tests pay in earnest.
func (b bench) paid(t *testing.T, maker uuid.UUID) deals.Detail {
	t.Helper()
	d := b.offer(t, maker)
	_, err := b.db.Owner().Exec(t.Context(), `
		update deals set status = 'Active', activated_at = $2, next_action = 'refund', next_action_at = due_at + interval '14 days'
		 where id = $1`, d.ID, b.clock.Now())
	require.NoError(t, err)
	d, err = b.Get(t.Context(), maker, d.ID)
	require.NoError(t, err)
	return d
}

// told returns the kinds of what the user was notified of, oldest first.
func (b bench) told(t *testing.T, userID uuid.UUID) []catalog.Kind {
	t.Helper()
	kinds, err := postgres.Values[catalog.Kind](t.Context(), b.db.Owner(), "test.told",
		`select kind from notifications where user_id = @user order by id`, pgx.NamedArgs{"user": userID})
	require.NoError(t, err)
	return kinds
}

// lines returns the kinds of a deal's timeline.
func lines(d deals.Detail) []catalog.Kind {
	var kinds []catalog.Kind
	for _, line := range d.Timeline {
		kinds = append(kinds, line.Kind)
	}
	return kinds
}

func keyOf(userID uuid.UUID, request string) *idempotency.Key {
	return &idempotency.Key{UserID: &userID, Value: "key-of-one-request", Hash: sha256.Sum256([]byte(request))}
}

func requireCode(t *testing.T, code fault.Code, err error) {
	t.Helper()
	require.Equal(t, code, fault.CodeOf(err), "%v", err)
}

func TestCreate(t *testing.T) {
	t.Parallel()
	t.Run("by the seller is accepted", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		d := b.offer(t, b.seller)
		require.Equal(t, deals.Pending, d.Status)
		require.Equal(t, money.Cents(2_00), d.Fee)
		require.Equal(t, 3, d.InspectionDays, "by default")
		require.True(t, d.Accepted())
		require.Equal(t, d.CreatedAt.Add(7*24*time.Hour), d.DueAt)
		require.Equal(t, deals.ActionExpire, d.NextAction)
		require.Equal(t, &d.DueAt, d.NextActionAt)
		require.Equal(t, []catalog.Kind{catalog.LineCreated}, lines(d))
		require.Equal(t, []catalog.Kind{catalog.DealOffered}, b.told(t, b.buyer))
		require.Empty(t, b.told(t, b.seller), "who made it knows")
	})
	t.Run("by the buyer waits for the seller", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		d := b.offer(t, b.buyer)
		require.False(t, d.Accepted())
		require.Equal(t, []catalog.Kind{catalog.DealOfferedToSeller}, b.told(t, b.seller))
	})
	t.Run("cleans the description", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		draft := b.draft()
		draft.Description = "  \u200b "
		_, err := b.Create(t.Context(), b.buyer, draft, nil)
		requireCode(t, fault.Invalid, err)
	})
	t.Run("a replay returns the first", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		key := keyOf(b.seller, "a deal")
		first, err := b.Create(t.Context(), b.seller, b.draft(), key)
		require.NoError(t, err)
		again, err := b.Create(t.Context(), b.seller, b.draft(), key)
		require.NoError(t, err)
		require.Equal(t, first.ID, again.ID)
		_, err = b.Create(t.Context(), b.seller, b.draft(), keyOf(b.seller, "another deal"))
		requireCode(t, fault.IdempotencyMismatch, err)
	})
	t.Run("with nobody", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		draft := b.draft()
		unknown := uuid.Must(uuid.NewV7())
		draft.SellerID = &unknown
		_, err := b.Create(t.Context(), b.buyer, draft, nil)
		requireCode(t, fault.Invalid, err)
	})
	t.Run("with a disabled user", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		draft := b.draft()
		gone := b.user(t, "gone")
		draft.SellerID = &gone
		_, err := b.db.Owner().Exec(t.Context(), `update users set disabled_at = now() where id = $1`, gone)
		require.NoError(t, err)
		_, err = b.Create(t.Context(), b.buyer, draft, nil)
		requireCode(t, fault.Invalid, err)
	})
}

func TestCreate_crowded(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var first deals.Detail
	for range 10 {
		first = b.offer(t, b.buyer)
	}
	_, err := b.Create(t.Context(), b.buyer, b.draft(), nil)
	requireCode(t, fault.Conflict, err)
	b.offer(t, b.seller) // which needs nobody's acceptance
	_, err = b.Accept(t.Context(), b.seller, first.ID)
	require.NoError(t, err)
	b.offer(t, b.buyer)
}

func TestGet(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.offer(t, b.seller)
	_, err := b.Get(t.Context(), b.buyer, d.ID)
	require.NoError(t, err)
	_, err = b.Get(t.Context(), b.user(t, "stranger"), d.ID)
	requireCode(t, fault.NotFound, err)
	_, err = b.Get(t.Context(), b.buyer, uuid.Must(uuid.NewV7()))
	requireCode(t, fault.NotFound, err)
}

// transition is a use case that moves no money.
type transition func(ctx context.Context, s *deals.Service, actor, id uuid.UUID) error

// of makes a transition of a method whose result does not matter.
func of[T any](do func(*deals.Service, context.Context, uuid.UUID, uuid.UUID) (T, error)) transition {
	return func(ctx context.Context, s *deals.Service, actor, id uuid.UUID) error {
		_, err := do(s, ctx, actor, id)
		return err
	}
}

func remove(ctx context.Context, s *deals.Service, actor, id uuid.UUID) error {
	_, err := s.Remove(ctx, actor, id, nil)
	return err
}

func cancel(ctx context.Context, s *deals.Service, actor, id uuid.UUID) error {
	_, err := s.Cancel(ctx, actor, id, nil)
	return err
}

// Strangers learn nothing of a deal, and each party may do its own part alone.
func TestTransitions_actor(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	stranger := b.user(t, "stranger")
	for name, tc := range map[string]struct {
		do            transition
		make          func(b bench, t *testing.T, maker uuid.UUID) deals.Detail
		buyer, seller fault.Code
	}{
		"accept":               {of((*deals.Service).Accept), bench.offer, fault.Forbidden, ""},
		"deliver":              {of((*deals.Service).Deliver), bench.paid, fault.Forbidden, ""},
		"decline cancellation": {of((*deals.Service).DeclineCancellation), bench.requested, fault.Forbidden, ""},
		"reset delivery":       {of((*deals.Service).ResetDelivery), bench.delivered, "", fault.Forbidden},
		"remove":               {remove, bench.offer, "", ""},
		"cancel":               {cancel, bench.paid, "", ""},
	} {
		for who, actor := range map[string]struct {
			id   uuid.UUID
			code fault.Code
		}{"buyer": {b.buyer, tc.buyer}, "seller": {b.seller, tc.seller}, "stranger": {stranger, fault.NotFound}} {
			t.Run(name+" by "+who, func(t *testing.T) {
				t.Parallel()
				maker := b.seller
				if name == "accept" {
					maker = b.buyer
				}
				id := tc.make(b, t, maker).ID
				requireCode(t, actor.code, tc.do(t.Context(), b.Service, actor.id, id))
			})
		}
	}
}

func (b bench) delivered(t *testing.T, maker uuid.UUID) deals.Detail {
	t.Helper()
	d, err := b.Deliver(t.Context(), b.seller, b.paid(t, maker).ID)
	require.NoError(t, err)
	return d
}

func (b bench) requested(t *testing.T, maker uuid.UUID) deals.Detail {
	t.Helper()
	c, err := b.Cancel(t.Context(), b.buyer, b.paid(t, maker).ID, nil)
	require.NoError(t, err)
	require.Nil(t, c.Operation, "it waits for the seller")
	return c.Deal
}

func TestAccept(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	made := b.offer(t, b.buyer)
	d, err := b.Accept(t.Context(), b.seller, made.ID)
	require.NoError(t, err)
	require.Equal(t, deals.Pending, d.Status)
	require.True(t, d.Accepted())
	require.Equal(t, []catalog.Kind{catalog.LineCreated, catalog.LineAccepted}, lines(d))
	require.Equal(t, []catalog.Kind{catalog.DealAccepted}, b.told(t, b.buyer))
	b.clock.Advance(time.Hour)
	again, err := b.Accept(t.Context(), b.seller, made.ID)
	require.NoError(t, err)
	require.Equal(t, d, again, "changes nothing")
}

func TestDeliver(t *testing.T) {
	t.Parallel()
	t.Run("starts the inspection", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		d := b.delivered(t, b.buyer)
		require.Equal(t, deals.Delivered, d.Status)
		require.True(t, d.Accepted(), "to deliver is to agree")
		require.Equal(t, d.DeliveredAt, d.FirstDeliveredAt)
		require.Equal(t, deals.ActionComplete, d.NextAction)
		require.Equal(t, d.DeliveredAt.Add(3*24*time.Hour), *d.NextActionAt)
		require.Contains(t, b.told(t, b.buyer), catalog.DealDelivered)
		b.clock.Advance(time.Hour)
		again, err := b.Deliver(t.Context(), b.seller, d.ID)
		require.NoError(t, err)
		require.Equal(t, d, again, "changes nothing")
	})
	t.Run("unpaid", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		_, err := b.Deliver(t.Context(), b.seller, b.offer(t, b.seller).ID)
		requireCode(t, fault.Conflict, err)
	})
	t.Run("with a cancellation request", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		_, err := b.Deliver(t.Context(), b.seller, b.requested(t, b.seller).ID)
		requireCode(t, fault.Conflict, err)
	})
	t.Run("late", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		d := b.paid(t, b.seller)
		b.clock.Advance(8 * 24 * time.Hour)
		d, err := b.Get(t.Context(), b.seller, d.ID)
		require.NoError(t, err)
		require.Equal(t, deals.Late, d.Status, "as it is read")
		d, err = b.Deliver(t.Context(), b.seller, d.ID)
		require.NoError(t, err)
		require.Equal(t, deals.Delivered, d.Status)
	})
	t.Run("while an operation is pending", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		d := b.paid(t, b.seller)
		_, err := b.RequestComplete(t.Context(), b.buyer, d.ID, nil)
		require.NoError(t, err)
		_, err = b.Deliver(t.Context(), b.seller, d.ID)
		requireCode(t, fault.Conflict, err)
	})
}

func TestRemove(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		actor, told func(b bench) uuid.UUID
		kind        catalog.Kind
	}{
		"declined by the other":  {bench.buyerID, bench.sellerID, catalog.DealDeclined},
		"withdrawn by its maker": {bench.sellerID, bench.buyerID, catalog.DealWithdrawn},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			d := b.offer(t, b.seller)
			removal, err := b.Remove(t.Context(), tc.actor(b), d.ID, nil)
			require.NoError(t, err)
			require.Nil(t, removal.Operation, "no money was in it")
			require.Contains(t, b.told(t, tc.told(b)), tc.kind)
			for _, party := range []uuid.UUID{b.buyer, b.seller} {
				_, err = b.Get(t.Context(), party, d.ID)
				requireCode(t, fault.NotFound, err)
				list, total, err := b.ListByUser(t.Context(), party, nil, postgres.Page{Limit: 10})
				require.NoError(t, err)
				require.Empty(t, list)
				require.Zero(t, total)
			}
		})
	}
	t.Run("paid and accepted", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		d := b.paid(t, b.seller)
		for _, party := range []uuid.UUID{b.buyer, b.seller} {
			_, err := b.Remove(t.Context(), party, d.ID, nil)
			requireCode(t, fault.Conflict, err)
		}
	})
	t.Run("paid and not accepted is refunded", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		removal, err := b.Remove(t.Context(), b.seller, b.paid(t, b.buyer).ID, nil)
		require.NoError(t, err)
		require.Equal(t, jobs.KindDealRefund, removal.Operation.Kind)
		require.JSONEq(t, `{"reason":"declined"}`, string(removal.Operation.Params))
	})
}

func (b bench) buyerID() uuid.UUID  { return b.buyer }
func (b bench) sellerID() uuid.UUID { return b.seller }

// What a party's Cancel comes to depends on who it is and when.
func TestCancel(t *testing.T) {
	t.Parallel()
	exit := 8 * 24 * time.Hour // since it was made
	for name, tc := range map[string]struct {
		actor, maker func(b bench) uuid.UUID
		after        time.Duration
		params       string // of the refund; "" for a request to the seller
	}{
		"buyer in time":                   {bench.buyerID, bench.sellerID, 0, ""},
		"buyer of a late deal":            {bench.buyerID, bench.sellerID, exit - time.Hour, ""},
		"buyer after exit":                {bench.buyerID, bench.sellerID, exit + time.Hour, `{"reason":"exit"}`},
		"seller":                          {bench.sellerID, bench.sellerID, 0, `{"reason":"seller"}`},
		"seller who has not accepted yet": {bench.sellerID, bench.buyerID, 0, `{"reason":"declined"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			d := b.paid(t, tc.maker(b))
			b.clock.Advance(tc.after)
			c, err := b.Cancel(t.Context(), tc.actor(b), d.ID, nil)
			require.NoError(t, err)
			if tc.params != "" {
				require.JSONEq(t, tc.params, string(c.Operation.Params))
				return
			}
			require.Nil(t, c.Operation)
			require.True(t, c.Deal.CancellationRequested)
			require.Equal(t, deals.ActionRefundUnanswered, c.Deal.NextAction)
			require.Equal(t, 2, c.Deal.RequestsLeft())
			require.Contains(t, b.told(t, b.seller), catalog.DealCancelAsked)
		})
	}
}

func TestCancel_three_requests(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.delivered(t, b.seller)
	d, err := b.ResetDelivery(t.Context(), b.buyer, d.ID)
	require.NoError(t, err)
	require.Equal(t, deals.Active, d.Status)
	require.Equal(t, deals.ActionEscalate, d.NextAction)
	for left := 1; left >= 0; left-- {
		c, err := b.Cancel(t.Context(), b.buyer, d.ID, nil)
		require.NoError(t, err)
		require.Equal(t, left, c.Deal.RequestsLeft())
		again, err := b.Cancel(t.Context(), b.buyer, d.ID, nil)
		require.NoError(t, err)
		require.Equal(t, c.Deal, again.Deal, "asking again changes nothing")
		d, err = b.DeclineCancellation(t.Context(), b.seller, d.ID)
		require.NoError(t, err)
		require.True(t, d.CancellationDeclined)
	}
	_, err = b.Cancel(t.Context(), b.buyer, d.ID, nil)
	requireCode(t, fault.Conflict, err)
	_, err = b.Deliver(t.Context(), b.seller, d.ID)
	require.NoError(t, err)
	_, err = b.ResetDelivery(t.Context(), b.buyer, d.ID)
	requireCode(t, fault.Conflict, err)
}

func TestRequestPay(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.offer(t, b.seller)
	_, err := b.RequestPay(t.Context(), b.buyer, d.ID, nil)
	requireCode(t, fault.InsufficientBalance, err)
	require.EqualValues(t, 100_00, fault.As(err).Shortfall)
	b.db.Fund(b.buyer, 100_00)
	op, err := b.RequestPay(t.Context(), b.buyer, d.ID, nil)
	require.NoError(t, err)
	require.Equal(t, operations.Pending, op.Status, "only a worker moves money")
	again, err := b.RequestPay(t.Context(), b.buyer, d.ID, nil)
	require.NoError(t, err)
	require.Equal(t, op.ID, again.ID)
	_, err = b.Remove(t.Context(), b.seller, d.ID, nil)
	requireCode(t, fault.Conflict, err)
	_, err = b.RequestPay(t.Context(), b.seller, d.ID, nil)
	requireCode(t, fault.Forbidden, err)
}
