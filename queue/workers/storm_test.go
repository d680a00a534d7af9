package workers

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/deals"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/testing/soak"
)

// stressFixture runs random operations of all users concurrently with two deadline sweeps.
type stressFixture struct {
	*fixture
	users, admins []uuid.UUID
	sweeper       *deals.Settler
	did           atomic.Int64 // money operations that succeeded
}

// stressRefusals are the refusals that random operations may meet. Any other error fails the test.
var stressRefusals = []fault.Code{
	fault.Conflict, fault.AlreadyHandled, fault.InsufficientBalance, fault.Forbidden, fault.NotFound,
}

func (s *stressFixture) money(op operations.Operation, err error) error {
	if err != nil {
		return err
	}
	if op, err = s.waiter.Wait(s.t.Context(), op); err != nil {
		return err
	}
	if op.Status == operations.Done {
		s.did.Add(1)
	}
	return op.Err()
}

// any returns the ID of a random row, or uuid.Nil if there is none.
func (s *stressFixture) any(sql string) (uuid.UUID, error) {
	var id uuid.UUID
	err := s.db.Owner().QueryRow(s.t.Context(), sql+` order by random() limit 1`).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, nil
	}
	return id, err
}

func (s *stressFixture) act(random *rand.Rand) error {
	switch random.IntN(12) {
	case 0:
		return s.payIn(oneOf(random, s.users), oneOf(random, s.admins), money.Cents(1+random.IntN(300_00)))
	case 1, 2:
		return s.trade(oneOf(random, s.users), oneOf(random, s.users), money.Cents(1+random.IntN(60_00)))
	case 3:
		order := wallet.Order{
			Amount:      money.Cents(1_00 + random.IntN(20_00)),
			PhoneNumber: "01712345678",
			Method:      oneOf(random, wallet.Methods()),
		}
		return s.money(s.wallet.RequestWithdraw(s.t.Context(), oneOf(random, s.users), order, nil))
	case 4, 5:
		return s.handle(oneOf(random, s.admins), random.IntN(2) == 0)
	}
	return s.deal(random, oneOf(random, s.admins))
}

func oneOf[T any](random *rand.Rand, list []T) T { return list[random.IntN(len(list))] }

func (s *stressFixture) payIn(user, admin uuid.UUID, amount money.Cents) error {
	d, err := s.wallet.ReportDeposit(s.t.Context(), user,
		wallet.Report{Amount: amount, TransactionID: uuid.NewString()[24:], Method: wallet.Nagad}, nil)
	if err != nil {
		return err
	}
	approved, err := s.wallet.Approve(s.t.Context(), admin, d.ID, wallet.Approval{Amount: amount, UserID: user}, nil)
	return s.money(approved.Operation, err)
}

func (s *stressFixture) trade(buyer, seller uuid.UUID, price money.Cents) error {
	if buyer == seller {
		return nil
	}
	d, err := s.deals.Create(s.t.Context(), buyer,
		deals.Draft{BuyerID: &buyer, SellerID: &seller, Price: price, Description: "A channel", DeliveryDays: 7}, nil)
	if err != nil {
		return err
	}
	return s.money(s.deals.RequestPay(s.t.Context(), buyer, d.ID, deals.AnyTerms, nil))
}

func (s *stressFixture) handle(admin uuid.UUID, send bool) error {
	id, err := s.any(`select id from withdrawals where status = 'pending'`)
	if err != nil || id == uuid.Nil {
		return err
	}
	if !send {
		return s.money(s.wallet.RequestReject(s.t.Context(), admin, id, "", nil))
	}
	w, err := s.wallet.GetWithdrawal(s.t.Context(), id)
	if err != nil {
		return err
	}
	if w.ConfirmedAt == nil { // the number is new
		err := postgres.WithTx(s.t.Context(), s.db.API(), func(tx *postgres.Tx) error {
			return s.wallet.Confirm(s.t.Context(), tx, w.User.ID, id)
		})
		if err != nil {
			return err
		}
	}
	return s.money(s.wallet.RequestSend(s.t.Context(), admin, id, wallet.Payout{Amount: w.Amount}, nil))
}

// deal performs a random action on an open deal.
func (s *stressFixture) deal(random *rand.Rand, admin uuid.UUID) error {
	ctx := s.t.Context()
	id, err := s.any(`select id from deals where activated_at is not null and closed_at is null`)
	if err != nil || id == uuid.Nil {
		return err
	}
	found, err := s.deals.GetAny(ctx, admin, id)
	if err != nil {
		return err
	}
	buyer, seller := found.Buyer.ID, found.Seller.ID
	switch random.IntN(11) {
	case 0, 1:
		_, err = s.deals.Deliver(ctx, seller, id, deals.Words{})
	case 2, 3:
		return s.money(s.deals.RequestComplete(ctx, buyer, id, nil))
	case 4:
		return s.cancel(buyer, id)
	case 5:
		return s.money(s.deals.RequestAcceptCancellation(ctx, seller, id, nil))
	case 6:
		_, err = s.deals.ResetDelivery(ctx, buyer, id, "Please change the colours.")
	case 7:
		return s.cancel(seller, id)
	case 8:
		if random.IntN(2) == 0 {
			return s.money(s.deals.RequestForceCancel(ctx, admin, id, nil))
		}
		return s.money(s.deals.RequestForceComplete(ctx, admin, id, nil))
	case 9, 10:
		return s.dispute(random, admin, found.Deal)
	}
	return err
}

// dispute opens a dispute about a deal, or brings the open one forward.
func (s *stressFixture) dispute(random *rand.Rand, admin uuid.UUID, d deals.Deal) error {
	ctx := s.t.Context()
	if d.DisputeID == nil {
		_, err := s.deals.OpenDispute(ctx, d.Buyer.ID, d.ID, deals.DisputeOther, words("It is wrong."), nil)
		return err
	}
	gets := money.Cents(random.Int64N(int64(d.Price) + 1))
	if random.IntN(3) == 0 {
		_, err := s.deals.DecideDispute(ctx, admin, *d.DisputeID, ruling(gets), nil)
		return err
	}
	made, err := s.deals.MakeOffer(ctx, d.Buyer.ID, *d.DisputeID, gets, nil)
	if err != nil {
		return err
	}
	return s.money(s.deals.AcceptOffer(ctx, d.Seller.ID, *d.DisputeID, made.Offers[len(made.Offers)-1].ID, nil))
}

func (s *stressFixture) cancel(party, id uuid.UUID) error {
	outcome, err := s.deals.Cancel(s.t.Context(), party, id, nil)
	if err != nil || outcome.Operation == nil {
		return err
	}
	return s.money(*outcome.Operation, nil)
}

// sweep advances the time in steps of an hour, but not so far that a buyer may exit a deal, and
// runs the deadline sweep and the operations sweep.
func (s *stressFixture) sweep(ctx context.Context, hours *atomic.Int64) error {
	sweeper := *s.ops
	sweeper.DB = s.db.Worker()
	for ctx.Err() == nil {
		if hours.Add(1) < 6*24 {
			s.clock.Advance(time.Hour)
		}
		if _, err := s.sweeper.Sweep(s.t.Context()); err != nil {
			return err
		}
		if _, err := sweeper.Sweep(s.t.Context()); err != nil {
			return err
		}
	}
	return nil
}

// The books reconcile after many concurrent operations of all users and the deadline sweep.
func TestReconcile_concurrent_operations(t *testing.T) {
	t.Parallel()
	const goroutines = 8
	enough := int64(soak.Rounds(100, 1000))
	s := &stressFixture{fixture: newFixture(t)}
	s.start()
	for _, name := range []string{"nusrat", "tanvir", "rahim", "karim"} {
		s.users = append(s.users, s.withFunds(name, 500_00))
	}
	s.admins = []uuid.UUID{s.admin("admin"), s.admin("sadia")}
	for i, referrer := range []int{2, 3} { // referrers who may also be the other party
		_, err := s.db.Owner().Exec(t.Context(), `update users set referred_by = $2 where id = $1`, s.users[i], s.users[referrer])
		require.NoError(t, err)
	}
	onWorker, ops := *s.deals, *s.ops
	ops.DB = s.db.Worker()
	onWorker.DB, onWorker.Operations = s.db.Worker(), &ops
	s.sweeper = &deals.Settler{Service: &onWorker, Rewards: s.rewards}

	sweeping, stop := context.WithCancel(t.Context())
	var hours atomic.Int64
	var clocks, crowd sync.WaitGroup
	for range 2 {
		clocks.Go(func() {
			if err := s.sweep(sweeping, &hours); err != nil {
				t.Errorf("sweep: %v", err)
			}
		})
	}
	deadline := time.Now().Add(2 * time.Minute) // on a busy machine
	for n := range goroutines {
		crowd.Go(func() {
			random := rand.New(rand.NewPCG(uint64(n), 7))
			for s.did.Load() < enough && time.Now().Before(deadline) && !t.Failed() {
				if err := s.act(random); err != nil && !slices.Contains(stressRefusals, fault.CodeOf(err)) {
					t.Errorf("%v", err)
				}
			}
		})
	}
	crowd.Wait()
	stop()
	clocks.Wait()
	require.Eventually(t, func() bool { return s.count(`select count(*) from operations where status = 'pending'`) == 0 },
		30*time.Second, 20*time.Millisecond)
	require.GreaterOrEqual(t, s.did.Load(), enough)
	for _, kind := range []string{
		"deposit_approve", "withdrawal_hold", "withdrawal_send", "withdrawal_reject",
		"deal_pay", "deal_complete", "deal_refund", "deal_settle", "referral_credit",
	} {
		done := s.count(`select count(*) from operations where kind = $1 and status = 'done'`, kind)
		require.GreaterOrEqual(t, done, soak.Rounds(0, 1), kind)
	}
	require.Zero(t, s.count(`select count(*) from river.river_job where state in ('discarded', 'retryable') and queue = 'money'`))
	s.reconciled()
}
