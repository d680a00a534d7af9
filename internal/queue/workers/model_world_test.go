package workers

import (
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"amanat/internal/domain/deals"
	"amanat/internal/domain/reports"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
	"amanat/internal/queue/jobs"
)

// world is the real thing under the model's eyes: a database, and operations settled as workers do but without waiting for River.
type world struct {
	*bench
	sweeper *deals.Settler
	model   *model
	users   []uuid.UUID
	names   map[uuid.UUID]string
	admin   uuid.UUID
	counts  map[string]int
}

func (w *world) settle(op operations.Operation) error {
	ctx := w.t.Context()
	var refusal *fault.Error
	settle := map[string]func() (any, error){}
	return postgres.WithTx(ctx, w.db.Worker(), func(tx *postgres.Tx) error {
		locked, err := w.ops.Lock(ctx, tx, op.ID)
		if err != nil || locked.Status != operations.Pending {
			return err
		}
		settle[jobs.KindDealPay] = func() (any, error) { return w.sweeper.SettlePay(ctx, tx, locked) }
		settle[jobs.KindDealComplete] = func() (any, error) { return w.sweeper.SettleComplete(ctx, tx, locked) }
		settle[jobs.KindDealRefund] = func() (any, error) { return w.sweeper.SettleRefund(ctx, tx, locked) }
		settle[jobs.KindReferralCredit] = func() (any, error) { return w.rewards.SettleCredit(ctx, tx, locked) }
		result, err := settle[locked.Kind]()
		if errors.As(err, &refusal) {
			return fmt.Errorf("a worker refused what the api had let through: %w", err)
		}
		if err != nil {
			return err
		}
		return w.ops.Finish(ctx, tx, locked, result)
	})
}

// drain settles everything that is pending.
func (w *world) drain() error {
	for {
		rows, err := w.db.Owner().Query(w.t.Context(), `select id from operations where status = 'pending' order by created_at`)
		if err != nil {
			return err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			if err := w.settle(operations.Operation{ID: id}); err != nil {
				return err
			}
		}
	}
}

func (w *world) try(name string, d *modelDeal, actor uuid.UUID) error {
	ctx := w.t.Context()
	var err error
	switch name {
	case "pay":
		_, err = w.deals.RequestPay(ctx, actor, d.id, nil)
	case "deliver":
		_, err = w.deals.Deliver(ctx, actor, d.id)
	case "remove":
		_, err = w.deals.Remove(ctx, actor, d.id, nil)
	case "agree":
		_, err = w.deals.Accept(ctx, actor, d.id)
	case "complete":
		_, err = w.deals.RequestComplete(ctx, actor, d.id, nil)
	case "force complete":
		_, err = w.deals.RequestForceComplete(ctx, actor, d.id, nil)
	case "force cancel":
		_, err = w.deals.RequestForceCancel(ctx, actor, d.id, nil)
	case "cancel":
		_, err = w.deals.Cancel(ctx, actor, d.id, nil)
	case "accept":
		_, err = w.deals.RequestAcceptCancellation(ctx, actor, d.id, nil)
	case "decline":
		_, err = w.deals.DeclineCancellation(ctx, actor, d.id)
	case "reset":
		_, err = w.deals.ResetDelivery(ctx, actor, d.id)
	case "support":
		err = w.deals.RequestSupport(ctx, actor, d.id, "Please look.", nil)
	}
	return err
}

// pause is how long nothing happens: some time, or until just before or after the clock of some deal strikes.
func (w *world) pause(rt *rapid.T) time.Duration {
	pauses := []time.Duration{time.Hour, 11 * time.Hour, day, 8 * day}
	for _, d := range w.model.deals {
		if until := d.nextAt.Sub(w.model.now); d.next != "" && !d.removed && until > 0 {
			pauses = append(pauses, until+time.Minute)
			if d.next != deals.ActionExpire {
				pauses = append(pauses, until-time.Minute, until+time.Minute, until+time.Minute)
			}
		}
	}
	return max(0, rapid.SampledFrom(pauses).Draw(rt, "time"))
}

func (w *world) create(rt *rapid.T) {
	pair := rapid.Permutation(w.users[1:]).Draw(rt, "parties")
	if w.model.disabled[pair[0]] || w.model.disabled[pair[1]] {
		return
	}
	most := rapid.SampledFrom([]int64{400_00, 400_00, 400_00, 4000_00}).Draw(rt, "most") // more than anybody has, now and then
	inspection := rapid.IntRange(1, 10).Draw(rt, "inspection")
	draft := deals.Draft{
		BuyerID: &pair[0], SellerID: &pair[1], Description: "A channel",
		Price:          money.Cents(rapid.Int64Range(1, most).Draw(rt, "price")),
		DeliveryDays:   rapid.IntRange(1, 9).Draw(rt, "delivery"),
		InspectionDays: &inspection,
	}
	maker := rapid.SampledFrom(pair[:2]).Draw(rt, "maker")
	made, err := w.deals.Create(w.t.Context(), maker, draft, nil)
	if maker == pair[0] && !w.model.mayOffer(pair[0], pair[1]) {
		require.Equal(rt, fault.Conflict, fault.CodeOf(err))
		return
	}
	require.NoError(rt, err)
	d := &modelDeal{
		id: made.ID, buyer: pair[0], seller: pair[1], price: draft.Price, status: deals.Pending,
		inspection: time.Duration(inspection) * day, due: made.DueAt, support: map[uuid.UUID]bool{}, answered: map[uuid.UUID]bool{},
		accepted: maker == pair[1],
	}
	w.model.replan(d)
	w.model.deals = append(w.model.deals, d)
}

func (w *world) openSupport(dealID, user uuid.UUID) (id uuid.UUID, err error) {
	err = w.db.Owner().QueryRow(w.t.Context(),
		`select id from support_requests where deal_id = $1 and user_id = $2 and closed_at is null`, dealID, user).Scan(&id)
	return id, err
}

// advance lets time pass while workers do their part, a minute after each time at which there is something to do, or while nobody works
// until the end.
func (w *world) advance(step time.Duration, working bool) {
	for {
		part := step
		if stop := w.model.nextStop(); working && stop > 0 {
			part = min(step, stop+time.Minute)
		}
		w.clock.Advance(part)
		w.model.now = w.clock.Now()
		w.model.tick()
		_, err := w.sweeper.Sweep(w.t.Context())
		require.NoError(w.t, err)
		require.NoError(w.t, w.drain())
		if step -= part; step <= 0 {
			return
		}
	}
}

// standing disables or holds a user, or enables or releases all.
func (w *world) standing(name string, user uuid.UUID) {
	ctx, people := w.t.Context(), w.people()
	var err error
	switch name {
	case "disable":
		err = people.DisableUser(ctx, w.admin, user, "")
		w.model.disable(user)
	case "enable":
		for _, user := range w.users {
			if w.model.disabled[user] {
				require.NoError(w.t, people.EnableUser(ctx, w.admin, user))
				w.model.enable(user)
			}
		}
	case "hold":
		_, err = people.HoldWithdrawals(ctx, w.names[user])
		w.model.held[user] = true
	case "release":
		for user := range w.model.held {
			_, err = people.ReleaseWithdrawals(ctx, w.names[user])
			require.NoError(w.t, err)
			delete(w.model.held, user)
		}
	}
	require.NoError(w.t, err)
	w.counts[name]++
}

// check compares what is with what should be.
func (w *world) check(rt *rapid.T) {
	require.NoError(rt, w.drain())
	w.model.now = w.clock.Now()
	for _, d := range w.model.deals {
		w.model.lateness(d)
		got, err := w.deals.GetAny(w.t.Context(), w.admin, d.id)
		if d.removed {
			require.Equal(rt, fault.NotFound, fault.CodeOf(err))
			continue
		}
		require.NoError(rt, err)
		require.Equal(rt, d.status, got.Status, "status")
		require.Equal(rt, d.next, got.NextAction, "next action of a %s deal", d.status)
		if d.next != "" && !d.frozen() {
			require.WithinDuration(rt, d.nextAt, *got.NextActionAt, 2*time.Minute, "when")
		}
		require.Equal(rt, d.asked(), got.CancellationRequested, "requested")
		require.Equal(rt, d.frozen(), got.Frozen(), "frozen")
		require.Equal(rt, d.escalated, got.EscalatedAt != nil, "escalated")
		require.Equal(rt, d.suspended, got.SuspendedAt != nil, "suspended")
		require.Equal(rt, !d.warnedAt.IsZero(), got.WarnedAt != nil, "warned")
		require.Equal(rt, d.requests, got.Requests, "requests")
		require.Equal(rt, d.accepted, got.Accepted(), "accepted")
	}
	w.checkScores(rt)
	for user, want := range w.model.wallets {
		require.Equal(rt, want, w.balance(user), "wallet")
	}
	findings, err := reports.Reconcile(w.t.Context(), w.db.Worker())
	require.NoError(rt, err)
	require.Empty(rt, findings)
}

// finish lets all time pass: no deal may be left lying about.
func (w *world) finish(rt *rapid.T) {
	w.standing("enable", uuid.Nil)
	w.standing("release", uuid.Nil)
	for _, d := range w.model.deals {
		for len(d.support) > 0 {
			w.closeSupport(d)
		}
	}
	for range 6 {
		w.advance(40*day, false)
		w.check(rt)
	}
	for _, d := range w.model.deals {
		require.True(rt, d.removed || d.escalated || !d.open() && d.status != deals.Pending, "a %s deal is left", d.status)
	}
}
