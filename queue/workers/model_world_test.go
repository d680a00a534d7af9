package workers

import (
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"amanat/internal/deals"
	"amanat/internal/fault"
	"amanat/internal/money"
	"amanat/internal/operations"
	"amanat/internal/postgres"
	"amanat/internal/reports"
	"amanat/queue/jobs"
)

// world is the real thing under the model's eyes: a database, and operations settled as workers do but without waiting for River.
type world struct {
	*bench
	sweeper *deals.Service
	model   *model
	users   []uuid.UUID
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
		err = w.deals.Remove(ctx, actor, d.id)
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
	most := rapid.SampledFrom([]int64{400_00, 400_00, 400_00, 4000_00}).Draw(rt, "most") // more than anybody has, now and then
	draft := deals.Draft{
		BuyerID: pair[0], SellerID: pair[1], Description: "A channel",
		Price:          money.Cents(rapid.Int64Range(1, most).Draw(rt, "price")),
		DeliveryDays:   rapid.IntRange(1, 9).Draw(rt, "delivery"),
		InspectionDays: rapid.IntRange(1, 10).Draw(rt, "inspection"),
	}
	made, err := w.deals.Create(w.t.Context(), pair[0], draft, nil)
	require.NoError(rt, err)
	d := &modelDeal{
		id: made.ID, buyer: pair[0], seller: pair[1], price: draft.Price, status: deals.Pending,
		inspection: time.Duration(draft.InspectionDays) * day, due: made.DueAt, support: map[uuid.UUID]bool{},
	}
	w.model.replan(d)
	w.model.deals = append(w.model.deals, d)
}

func (w *world) openSupport(dealID, user uuid.UUID) (id uuid.UUID, err error) {
	err = w.db.Owner().QueryRow(w.t.Context(),
		`select id from support_requests where deal_id = $1 and user_id = $2 and closed_at is null`, dealID, user).Scan(&id)
	return id, err
}

func (w *world) advance(step time.Duration) {
	w.clock.Advance(step)
	w.model.now = w.clock.Now()
	for _, d := range w.model.deals {
		if !d.removed && d.next != "" && !d.frozen() && !w.model.now.Before(d.nextAt) {
			w.counts["clock "+string(d.next)]++
		}
	}
	w.model.tick()
	_, err := w.sweeper.Sweep(w.t.Context())
	require.NoError(w.t, err)
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
		require.Equal(rt, d.requests, got.Requests, "requests")
	}
	for user, want := range w.model.wallets {
		require.Equal(rt, want, w.balance(user), "wallet")
	}
	findings, err := reports.Reconcile(w.t.Context(), w.db.Worker())
	require.NoError(rt, err)
	require.Empty(rt, findings)
}

// finish lets all time pass: no deal may be left lying about.
func (w *world) finish(rt *rapid.T) {
	for _, d := range w.model.deals {
		for len(d.support) > 0 {
			w.closeSupport(d)
		}
	}
	for range 6 {
		w.advance(40 * day)
		w.check(rt)
	}
	for _, d := range w.model.deals {
		require.True(rt, d.removed || d.escalated || !d.open() && d.status != deals.Pending, "a %s deal is left", d.status)
	}
}
