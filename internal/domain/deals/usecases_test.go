package deals_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/domain/chat"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/notifications"
	"amanat/internal/domain/trust"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
	"amanat/queue/jobs"
)

// fixture is the service with the API's database role and two users. Without a worker, no money
// moves.
type fixture struct {
	*deals.Service
	db            *dbtest.DB
	chat          *chat.Service
	clock         *clock.Offset
	buyer, seller uuid.UUID
}

func newFixture(t *testing.T) fixture {
	t.Helper()
	db := dbtest.New(t)
	now := clock.NewOffset(0)
	inserter, err := jobs.NewInserter(db.API(), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	events := &realtime.Log{Clock: now, Publish: silent{}}
	pictures := images.New(images.Options{DB: db.API(), Clock: now})
	talks := &chat.Service{DB: db.API(), Clock: now, Events: events, Images: pictures, Presence: silent{}, Pushes: silent{}}
	f := fixture{db: db, clock: now, chat: talks, Service: &deals.Service{
		DB: db.API(), Clock: now, Events: events, Jobs: inserter, Limits: trust.Unlimited(),
		Operations: &operations.Service{DB: db.API(), Clock: now, Enqueuer: inserter, Events: events, Announce: silent{}},
		Notices:    &notifications.Service{DB: db.API(), Clock: now, Events: events},
		Images:     pictures, Conversations: talks,
	}}
	f.buyer, f.seller = f.user(t, "rahim"), f.user(t, "karim")
	return f
}

func (f fixture) user(t *testing.T, name string) uuid.UUID {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	_, err := f.db.Owner().Exec(t.Context(), `
		insert into users (id, username, email, password_hash, is_verified, referral_code, terms_accepted_at, created_at)
		values ($1, $2, $2 || '@example.com', '', true, $2, now(), now())`, id, name)
	require.NoError(t, err)
	return id
}

func (f fixture) draft() deals.Draft {
	return deals.Draft{
		BuyerID: &f.buyer, SellerID: &f.seller,
		Terms: deals.Terms{Price: 100_00, Description: "A channel", DeliveryDays: 7, InspectionDays: 3},
	}
}

// offer creates a deal by the actor.
func (f fixture) offer(t *testing.T, actor uuid.UUID) deals.Detail {
	t.Helper()
	d, err := f.Create(t.Context(), actor, f.draft(), nil)
	require.NoError(t, err)
	return d
}

// paid creates a deal in the Active state without moving money. The worker's tests really pay.
func (f fixture) paid(t *testing.T, maker uuid.UUID) deals.Detail {
	t.Helper()
	d := f.offer(t, maker)
	_, err := f.db.Owner().Exec(t.Context(), `
		update deals set status = 'Active', activated_at = $2, next_action = 'refund', next_action_at = due_at + interval '14 days'
		 where id = $1`, d.ID, f.clock.Now())
	require.NoError(t, err)
	d, err = f.Get(t.Context(), maker, d.ID)
	require.NoError(t, err)
	return d
}

// notified returns the kinds of the user's notifications, oldest first.
func (f fixture) notified(t *testing.T, userID uuid.UUID) []catalog.Kind {
	t.Helper()
	kinds, err := postgres.Query[catalog.Kind]("test.told",
		`select kind from notifications where user_id = @user order by id`).Many(t.Context(), f.db.Owner(), postgres.Args{"user": userID})
	require.NoError(t, err)
	return kinds
}

// lines returns the kinds of the deal's timeline events.
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
		f := newFixture(t)
		d := f.offer(t, f.seller)
		require.Equal(t, deals.Pending, d.Status)
		require.Equal(t, money.Cents(2_00), d.Fee)
		require.Equal(t, 3, d.InspectionDays, "by default")
		require.True(t, d.Accepted())
		require.Equal(t, d.CreatedAt.Add(7*24*time.Hour), d.DueAt)
		require.Equal(t, deals.ActionExpire, d.NextAction)
		require.Equal(t, &d.DueAt, d.NextActionAt)
		require.Equal(t, []catalog.Kind{catalog.LineCreated}, lines(d))
		require.Equal(t, []catalog.Kind{catalog.DealOffered}, f.notified(t, f.buyer))
		require.Empty(t, f.notified(t, f.seller), "the creator is not notified")
	})
	t.Run("by the buyer needs acceptance", func(t *testing.T) {
		t.Parallel()
		f := newFixture(t)
		d := f.offer(t, f.buyer)
		require.False(t, d.Accepted())
		require.Equal(t, []catalog.Kind{catalog.DealOfferedToSeller}, f.notified(t, f.seller))
	})
	t.Run("cleans the description", func(t *testing.T) {
		t.Parallel()
		f := newFixture(t)
		draft := f.draft()
		draft.Description = "  \u200b "
		_, err := f.Create(t.Context(), f.buyer, draft, nil)
		requireCode(t, fault.Invalid, err)
	})
	t.Run("replay returns the first", func(t *testing.T) {
		t.Parallel()
		f := newFixture(t)
		key := keyOf(f.seller, "a deal")
		first, err := f.Create(t.Context(), f.seller, f.draft(), key)
		require.NoError(t, err)
		again, err := f.Create(t.Context(), f.seller, f.draft(), key)
		require.NoError(t, err)
		require.Equal(t, first.ID, again.ID)
		_, err = f.Create(t.Context(), f.seller, f.draft(), keyOf(f.seller, "another deal"))
		requireCode(t, fault.IdempotencyMismatch, err)
		_, err = f.Remove(t.Context(), f.buyer, first.ID, nil)
		require.NoError(t, err)
		_, err = f.Create(t.Context(), f.seller, f.draft(), key)
		requireCode(t, fault.NotFound, err)
	})
	t.Run("with an unknown user", func(t *testing.T) {
		t.Parallel()
		f := newFixture(t)
		draft := f.draft()
		unknown := uuid.Must(uuid.NewV7())
		draft.SellerID = &unknown
		_, err := f.Create(t.Context(), f.buyer, draft, nil)
		requireCode(t, fault.Invalid, err)
	})
	t.Run("with a disabled user", func(t *testing.T) {
		t.Parallel()
		f := newFixture(t)
		draft := f.draft()
		gone := f.user(t, "gone")
		draft.SellerID = &gone
		_, err := f.db.Owner().Exec(t.Context(), `update users set disabled_at = now() where id = $1`, gone)
		require.NoError(t, err)
		_, err = f.Create(t.Context(), f.buyer, draft, nil)
		requireCode(t, fault.Invalid, err)
	})
}

// At most ten deals wait between two users, whichever of them made the deals, however many are made
// at once.
func TestCreate_crowded(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	created, errs := [16]deals.Detail{}, [16]error{}
	var group sync.WaitGroup
	for i := range created {
		draft, maker := f.draft(), f.buyer
		if i%2 == 1 {
			maker, draft.BuyerID, draft.SellerID = f.seller, &f.seller, &f.buyer
		}
		group.Go(func() { created[i], errs[i] = f.Create(t.Context(), maker, draft, nil) })
	}
	group.Wait()
	var made []deals.Detail
	for i, err := range errs {
		if err == nil {
			made = append(made, created[i])
		} else {
			requireReason(t, "pair_deals_waiting", err)
		}
	}
	require.Len(t, made, 10)
	f.offer(t, f.seller) // needs no acceptance
	_, err := f.Accept(t.Context(), made[0].Seller.ID, made[0].ID)
	require.NoError(t, err)
	f.offer(t, f.buyer)
	_, err = f.Create(t.Context(), f.buyer, f.draft(), nil)
	requireReason(t, "pair_deals_waiting", err)
}

// At most fifty deals of a maker wait, however many are made at once.
func TestCreate_fifty_of_a_maker(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var sellers []uuid.UUID
	for i := range 6 {
		sellers = append(sellers, f.user(t, fmt.Sprintf("seller%d", i)))
	}
	create := func(maker, seller uuid.UUID) error {
		draft := f.draft()
		draft.BuyerID, draft.SellerID = &maker, &seller
		_, err := f.Create(t.Context(), maker, draft, nil)
		return err
	}
	for i := range 49 {
		require.NoError(t, create(f.buyer, sellers[i/10]))
	}
	var errs [6]error
	var group sync.WaitGroup
	for i := range errs {
		group.Go(func() { errs[i] = create(f.buyer, sellers[4+i%2]) })
	}
	group.Wait()
	made := 0
	for _, err := range errs {
		if err == nil {
			made++
		} else {
			requireCode(t, fault.Conflict, err)
		}
	}
	require.Equal(t, 1, made)
	requireReason(t, "own_deals_waiting", create(f.buyer, sellers[5]))
	require.NoError(t, create(sellers[5], f.buyer), "it counts for its maker")
}

func TestGet(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.offer(t, f.seller)
	_, err := f.Get(t.Context(), f.buyer, d.ID)
	require.NoError(t, err)
	_, err = f.Get(t.Context(), f.user(t, "stranger"), d.ID)
	requireCode(t, fault.NotFound, err)
	_, err = f.Get(t.Context(), f.buyer, uuid.Must(uuid.NewV7()))
	requireCode(t, fault.NotFound, err)
}

// transition is a use case that moves no money.
type transition func(ctx context.Context, s *deals.Service, actor, id uuid.UUID) error

// of adapts a method whose result is not needed to a transition.
func of[T any](do func(*deals.Service, context.Context, uuid.UUID, uuid.UUID) (T, error)) transition {
	return func(ctx context.Context, s *deals.Service, actor, id uuid.UUID) error {
		_, err := do(s, ctx, actor, id)
		return err
	}
}

func deliver(ctx context.Context, s *deals.Service, actor, id uuid.UUID) error {
	_, err := s.Deliver(ctx, actor, id, deals.Words{})
	return err
}

func reset(ctx context.Context, s *deals.Service, actor, id uuid.UUID) error {
	_, err := s.ResetDelivery(ctx, actor, id, "Please change the colours.")
	return err
}

func remove(ctx context.Context, s *deals.Service, actor, id uuid.UUID) error {
	_, err := s.Remove(ctx, actor, id, nil)
	return err
}

func cancel(ctx context.Context, s *deals.Service, actor, id uuid.UUID) error {
	_, err := s.Cancel(ctx, actor, id, nil)
	return err
}

// Strangers get NotFound, and each party may do only what its role allows.
func TestTransitions_actor(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	stranger := f.user(t, "stranger")
	for name, tc := range map[string]struct {
		do            transition
		make          func(f fixture, t *testing.T, maker uuid.UUID) deals.Detail
		buyer, seller fault.Code
	}{
		"accept":               {of((*deals.Service).Accept), fixture.offer, fault.Forbidden, ""},
		"deliver":              {deliver, fixture.paid, fault.Forbidden, ""},
		"decline cancellation": {of((*deals.Service).DeclineCancellation), fixture.requested, fault.Forbidden, ""},
		"reset delivery":       {reset, fixture.delivered, "", fault.Forbidden},
		"remove":               {remove, fixture.offer, "", ""},
		"cancel":               {cancel, fixture.paid, "", ""},
	} {
		for who, actor := range map[string]struct {
			id   uuid.UUID
			code fault.Code
		}{"buyer": {f.buyer, tc.buyer}, "seller": {f.seller, tc.seller}, "stranger": {stranger, fault.NotFound}} {
			t.Run(name+" by "+who, func(t *testing.T) {
				t.Parallel()
				maker := f.seller
				if name == "accept" {
					maker = f.buyer
				}
				id := tc.make(f, t, maker).ID
				requireCode(t, actor.code, tc.do(t.Context(), f.Service, actor.id, id))
			})
		}
	}
}

// A deal that is closed is not changed any more, and an unpaid one only accepted or removed.
func TestTransitions_status(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	unpaid, closed := f.offer(t, f.seller).ID, f.paid(t, f.seller).ID
	_, err := f.db.Owner().Exec(t.Context(), `
		update deals set status = 'Cancelled', closed_at = created_at, close_reason = 'admin', next_action = null, next_action_at = null
		 where id = $1`, closed)
	require.NoError(t, err)
	complete := func(ctx context.Context, s *deals.Service, actor, id uuid.UUID) error {
		_, err := s.RequestComplete(ctx, actor, id, nil)
		return err
	}
	for name, tc := range map[string]struct {
		do     transition
		actor  uuid.UUID
		unpaid bool // is possible, too
	}{
		"accept":               {of((*deals.Service).Accept), f.seller, true},
		"deliver":              {deliver, f.seller, false},
		"decline cancellation": {of((*deals.Service).DeclineCancellation), f.seller, false},
		"reset delivery":       {reset, f.buyer, false},
		"remove":               {remove, f.seller, true},
		"cancel":               {cancel, f.buyer, false},
		"cancel as the seller": {cancel, f.seller, false},
		"complete":             {complete, f.buyer, false},
	} {
		requireReason(t, "deal_status", tc.do(t.Context(), f.Service, tc.actor, closed))
		if !tc.unpaid {
			require.Equal(t, "deal_status", fault.As(tc.do(t.Context(), f.Service, tc.actor, unpaid)).Reason, name)
		}
	}
}

func (f fixture) delivered(t *testing.T, maker uuid.UUID) deals.Detail {
	t.Helper()
	d, err := f.Deliver(t.Context(), f.seller, f.paid(t, maker).ID, deals.Words{})
	require.NoError(t, err)
	return d
}

func (f fixture) requested(t *testing.T, maker uuid.UUID) deals.Detail {
	t.Helper()
	c, err := f.Cancel(t.Context(), f.buyer, f.paid(t, maker).ID, nil)
	require.NoError(t, err)
	require.Nil(t, c.Operation, "the seller has to answer")
	return c.Deal
}

func TestAccept(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	made := f.offer(t, f.buyer)
	d, err := f.Accept(t.Context(), f.seller, made.ID)
	require.NoError(t, err)
	require.Equal(t, deals.Pending, d.Status)
	require.True(t, d.Accepted())
	require.Equal(t, []catalog.Kind{catalog.LineCreated, catalog.LineAccepted}, lines(d))
	require.Equal(t, []catalog.Kind{catalog.DealAccepted}, f.notified(t, f.buyer))
	f.clock.Advance(time.Hour)
	again, err := f.Accept(t.Context(), f.seller, made.ID)
	require.NoError(t, err)
	require.Equal(t, d, again, "changes nothing")
}

func TestDeliver(t *testing.T) {
	t.Parallel()
	t.Run("starts the inspection", func(t *testing.T) {
		t.Parallel()
		f := newFixture(t)
		d := f.delivered(t, f.buyer)
		require.Equal(t, deals.Delivered, d.Status)
		require.True(t, d.Accepted(), "delivery implies acceptance")
		require.Equal(t, d.DeliveredAt, d.FirstDeliveredAt)
		require.Equal(t, deals.ActionComplete, d.NextAction)
		require.Equal(t, d.DeliveredAt.Add(3*24*time.Hour), *d.NextActionAt)
		require.Contains(t, f.notified(t, f.buyer), catalog.DealDelivered)
		f.clock.Advance(time.Hour)
		again, err := f.Deliver(t.Context(), f.seller, d.ID, deals.Words{})
		require.NoError(t, err)
		require.Equal(t, d, again, "changes nothing")
	})
	t.Run("unpaid", func(t *testing.T) {
		t.Parallel()
		f := newFixture(t)
		_, err := f.Deliver(t.Context(), f.seller, f.offer(t, f.seller).ID, deals.Words{})
		requireCode(t, fault.Conflict, err)
	})
	t.Run("with a cancellation request", func(t *testing.T) {
		t.Parallel()
		f := newFixture(t)
		_, err := f.Deliver(t.Context(), f.seller, f.requested(t, f.seller).ID, deals.Words{})
		requireReason(t, "cancellation_unanswered", err)
	})
	t.Run("late", func(t *testing.T) {
		t.Parallel()
		f := newFixture(t)
		d := f.paid(t, f.seller)
		f.clock.Advance(8 * 24 * time.Hour)
		d, err := f.Get(t.Context(), f.seller, d.ID)
		require.NoError(t, err)
		require.Equal(t, deals.Late, d.Status, "derived on read")
		d, err = f.Deliver(t.Context(), f.seller, d.ID, deals.Words{})
		require.NoError(t, err)
		require.Equal(t, deals.Delivered, d.Status)
	})
	t.Run("while an operation is pending", func(t *testing.T) {
		t.Parallel()
		f := newFixture(t)
		d := f.paid(t, f.seller)
		_, err := f.RequestComplete(t.Context(), f.buyer, d.ID, nil)
		require.NoError(t, err)
		_, err = f.Deliver(t.Context(), f.seller, d.ID, deals.Words{})
		requireCode(t, fault.Conflict, err)
	})
}

func TestRemove(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		actor, other func(f fixture) uuid.UUID
		kind         catalog.Kind
	}{
		"declined by the buyer":   {fixture.buyerID, fixture.sellerID, catalog.DealDeclined},
		"withdrawn by the seller": {fixture.sellerID, fixture.buyerID, catalog.DealWithdrawn},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			d := f.offer(t, f.seller)
			removal, err := f.Remove(t.Context(), tc.actor(f), d.ID, nil)
			require.NoError(t, err)
			require.Nil(t, removal.Operation, "no money was paid")
			require.Contains(t, f.notified(t, tc.other(f)), tc.kind)
			for _, party := range []uuid.UUID{f.buyer, f.seller} {
				_, err = f.Get(t.Context(), party, d.ID)
				requireCode(t, fault.NotFound, err)
				list, total, err := f.ListByUser(t.Context(), party, nil, postgres.Page{Limit: 10})
				require.NoError(t, err)
				require.Empty(t, list)
				require.Zero(t, total)
			}
		})
	}
	t.Run("paid and accepted", func(t *testing.T) {
		t.Parallel()
		f := newFixture(t)
		d := f.paid(t, f.seller)
		for _, party := range []uuid.UUID{f.buyer, f.seller} {
			_, err := f.Remove(t.Context(), party, d.ID, nil)
			requireCode(t, fault.Conflict, err)
		}
	})
	t.Run("paid and not accepted is refunded", func(t *testing.T) {
		t.Parallel()
		f := newFixture(t)
		removal, err := f.Remove(t.Context(), f.seller, f.paid(t, f.buyer).ID, nil)
		require.NoError(t, err)
		require.Equal(t, jobs.KindDealRefund, removal.Operation.Kind)
		require.JSONEq(t, `{"reason":"declined"}`, string(removal.Operation.Params))
	})
}

func (f fixture) buyerID() uuid.UUID  { return f.buyer }
func (f fixture) sellerID() uuid.UUID { return f.seller }

// Cancel refunds or requests, depending on the role and the time.
func TestCancel(t *testing.T) {
	t.Parallel()
	exit := 8 * 24 * time.Hour // since creation
	for name, tc := range map[string]struct {
		actor, maker func(f fixture) uuid.UUID
		after        time.Duration
		params       string // of the refund operation; "" for a request to the seller
	}{
		"buyer in time":                   {fixture.buyerID, fixture.sellerID, 0, ""},
		"buyer of a late deal":            {fixture.buyerID, fixture.sellerID, exit - time.Hour, ""},
		"buyer after exit":                {fixture.buyerID, fixture.sellerID, exit + time.Hour, `{"reason":"exit"}`},
		"seller":                          {fixture.sellerID, fixture.sellerID, 0, `{"reason":"seller"}`},
		"seller who has not accepted yet": {fixture.sellerID, fixture.buyerID, 0, `{"reason":"declined"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			d := f.paid(t, tc.maker(f))
			f.clock.Advance(tc.after)
			c, err := f.Cancel(t.Context(), tc.actor(f), d.ID, nil)
			require.NoError(t, err)
			if tc.params != "" {
				require.JSONEq(t, tc.params, string(c.Operation.Params))
				return
			}
			require.Nil(t, c.Operation)
			require.True(t, c.Deal.CancellationRequested)
			require.Equal(t, deals.ActionRefundUnanswered, c.Deal.NextAction)
			require.Equal(t, 2, c.Deal.RequestsLeft())
			require.Contains(t, f.notified(t, f.seller), catalog.DealCancelAsked)
		})
	}
}

// While an operation is pending on a deal, nobody takes back what was delivered or requests its
// cancellation.
func TestErrBusy(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.delivered(t, f.seller)
	_, err := f.RequestComplete(t.Context(), f.buyer, d.ID, nil)
	require.NoError(t, err)
	_, err = f.ResetDelivery(t.Context(), f.buyer, d.ID, "Please change the colours.")
	require.Equal(t, operations.ErrBusy(), err)
	for _, party := range []uuid.UUID{f.buyer, f.seller} {
		_, err = f.Cancel(t.Context(), party, d.ID, nil)
		require.Equal(t, operations.ErrBusy(), err)
	}
	admin := f.user(t, "boss")
	_, err = f.RequestForceComplete(t.Context(), admin, d.ID, nil)
	require.Equal(t, operations.ErrBusy(), err)
	_, err = f.RequestForceCancel(t.Context(), admin, d.ID, nil)
	require.Equal(t, operations.ErrBusy(), err)
	asked := f.requested(t, f.seller).ID
	_, err = f.RequestComplete(t.Context(), f.buyer, asked, nil)
	require.NoError(t, err)
	_, err = f.DeclineCancellation(t.Context(), f.seller, asked)
	require.Equal(t, operations.ErrBusy(), err)
	require.Equal(t, operations.ErrBusy(), f.RequestSupport(t.Context(), f.seller, asked, "Wait.", nil))
	declined := f.paid(t, f.buyer).ID
	_, err = f.Remove(t.Context(), f.seller, declined, nil)
	require.NoError(t, err)
	_, err = f.Accept(t.Context(), f.seller, declined)
	require.Equal(t, operations.ErrBusy(), err)
}

func TestCancel_three_requests(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.delivered(t, f.seller)
	d, err := f.ResetDelivery(t.Context(), f.buyer, d.ID, "Please change the colours.")
	require.NoError(t, err)
	require.Equal(t, deals.Active, d.Status)
	require.Equal(t, deals.ActionEscalate, d.NextAction)
	for left := 1; left >= 0; left-- {
		c, err := f.Cancel(t.Context(), f.buyer, d.ID, nil)
		require.NoError(t, err)
		require.Equal(t, left, c.Deal.RequestsLeft())
		again, err := f.Cancel(t.Context(), f.buyer, d.ID, nil)
		require.NoError(t, err)
		require.Equal(t, c.Deal, again.Deal, "repeating changes nothing")
		d, err = f.DeclineCancellation(t.Context(), f.seller, d.ID)
		require.NoError(t, err)
		require.True(t, d.CancellationDeclined)
	}
	_, err = f.Cancel(t.Context(), f.buyer, d.ID, nil)
	requireReason(t, "requests_used_up", err)
	_, err = f.Deliver(t.Context(), f.seller, d.ID, deals.Words{})
	require.NoError(t, err)
	_, err = f.ResetDelivery(t.Context(), f.buyer, d.ID, "Please change the colours.")
	requireReason(t, "requests_used_up", err)
}
