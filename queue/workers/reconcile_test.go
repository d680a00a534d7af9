package workers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/reports"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/tracing"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/testing/soak"
	"amanat/queue/jobs"
)

func TestReconcile_once_a_night(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var log bytes.Buffer
	services := Services{DB: f.db.Worker(), Jobs: f.jobs, Log: slog.New(slog.NewTextHandler(&log, nil))}
	check := func() {
		t.Helper()
		require.NoError(t, services.reconcile(t.Context()))
	}
	exec := func(sql string) {
		t.Helper()
		_, err := f.db.Owner().Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	const broken = `select coalesce(sum(broken), 0) from books_checks`
	check()
	require.Equal(t, len(reports.Rules()), f.count(`select count(*) from books_checks`), "also for rules that hold")
	require.Zero(t, f.count(broken))
	require.NotContains(t, log.String(), "ERROR")

	exec(`select ledger.post('stray', 'test', now(), null, null, array['escrow', 'exchange'], array[gen_random_uuid(), null],
		array['USD', 'USD'], array[5, -5]::bigint[])`)
	check()
	require.Zero(t, f.count(broken), "once a night")

	exec(`update books_checks set checked_at = checked_at - interval '1 day'`)
	exec(`insert into books_checks (rule, broken, checked_at) select 'a rule of another version', 7, checked_at from books_checks limit 1`)
	check()
	require.Equal(t, 1, f.count(broken+` where rule like 'every escrow is a deal%'`))
	require.Equal(t, f.count(broken), strings.Count(log.String(), "level=ERROR"), "one line for each broken rule")
	require.Contains(t, log.String(), "every escrow is a deal's")
	require.Equal(t, len(reports.Rules()), f.count(`select count(*) from books_checks where checked_at > now() - interval '1 hour'`))
}

// The books are checked whole once a week and while anything was found, and in between from a
// checkpoint, which only a check without a finding leaves. So are the chains.
func TestReconcile_short_and_whole(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var log bytes.Buffer
	services := Services{DB: f.db.Worker(), Jobs: f.jobs, Log: slog.New(slog.NewTextHandler(&log, nil))}
	exec := func(sql string) {
		t.Helper()
		_, err := f.db.Owner().Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	nextNight := func() string {
		t.Helper()
		exec(`update books_checks set checked_at = checked_at - interval '1 day';
			update chain.progress set checked_at = checked_at - interval '1 day'`)
		log.Reset()
		require.NoError(t, services.seal(t.Context()))
		require.NoError(t, services.reconcile(t.Context()))
		return log.String()
	}
	const books, chains = "books checked\" findings=%d whole=%v", "chain verified\" chain=transfers findings=%d whole=%v"
	expect := func(text string, findings int, whole bool) {
		t.Helper()
		require.Contains(t, text, fmt.Sprintf(books, findings, whole))
		require.Contains(t, text, fmt.Sprintf(chains, findings, whole))
	}
	mails := func(kind catalog.Kind) int {
		return f.count(`select count(*) from river.river_job where kind = 'support_mail' and args ->> 'mail_kind' = $1`, string(kind))
	}
	expect(nextNight(), 0, true)
	require.Zero(t, mails(catalog.MailHeads), "of a new site")
	expect(nextNight(), 0, false)
	require.Equal(t, 1, mails(catalog.MailHeads))
	require.Equal(t, 2, f.count(`select count(*) from books_checkpoints`))

	exec(`update books_checkpoints set whole_at = whole_at - interval '7 days';
		update chain.progress set whole_at = whole_at - interval '7 days'`)
	expect(nextNight(), 0, true)
	exec(`select ledger.post('stray', 'test', now(), null, null, array['exchange', 'fees'], array[null, null]::uuid[],
		array['USD', 'USD'], array[-5, 5]::bigint[])`)
	exec(`set session_replication_role = replica; update chain.transfer_seals set hash = sha256(''); set session_replication_role = default`)
	require.Contains(t, nextNight(), "whole=false")
	require.Positive(t, f.count(`select sum(broken) from books_checks`))
	require.Contains(t, nextNight(), "whole=true", "while anything is wrong")
	require.Equal(t, 3, f.count(`select count(*) from books_checkpoints`), "none of broken books")

	exec(`set session_replication_role = replica; update chain.transfer_seals set hash = sha256('x'); set session_replication_role = default`)
	require.Contains(t, nextNight(), "the chain is broken")
	require.Equal(t, 1, mails(catalog.MailHeadsBroken))
	require.Equal(t, 1, f.count(`select broken from chain.progress where chain = 'transfers'`))
}

// A check that fails does not keep the other from running.
func TestReconcile_each_check_alone(t *testing.T) {
	t.Parallel()
	for table, other := range map[string]string{
		"chain.progress": `select count(*) from books_checks`,
		"operations":     `select count(*) from chain.progress where checked_at is not null`,
	} {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			_, err := f.db.Owner().Exec(t.Context(), `revoke all on `+table+` from amanat_worker`)
			require.NoError(t, err)
			services := Services{DB: f.db.Worker(), Jobs: f.jobs, Log: slog.New(slog.DiscardHandler)}
			require.ErrorContains(t, services.reconcile(t.Context()), "permission denied")
			require.Positive(t, f.count(other))
		})
	}
}

// A worker that starts makes up for a missed night.
func TestReconcile_missed_night(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, another := range []bool{false, true} {
		inserted, err := f.client.Insert(t.Context(), jobs.Reconcile, nil)
		require.NoError(t, err)
		require.Equal(t, another, inserted.UniqueSkippedAsDuplicate, "one at a time")
	}
	_, err := f.db.Owner().Exec(t.Context(), `delete from river.river_job`)
	require.NoError(t, err)
	f.start()
	require.Eventually(t, func() bool { return f.count(`select count(*) from books_checks`) > 0 }, 30*time.Second, 10*time.Millisecond)
}

func TestLatestNight(t *testing.T) {
	t.Parallel()
	at := func(day, hour, minute int) time.Time {
		return time.Date(2026, 11, day, hour, minute, 0, 0, clock.Dhaka)
	}
	for name, c := range map[string]struct{ now, night time.Time }{
		"before":             {at(20, 3, 29), at(19, 3, 30)},
		"at":                 {at(20, 3, 30), at(20, 3, 30)},
		"late in the day":    {at(20, 23, 59), at(20, 3, 30)},
		"previous month":     {at(1, 0, 5), time.Date(2026, 10, 31, 3, 30, 0, 0, clock.Dhaka)},
		"still the 19th UTC": {at(20, 4, 0).UTC(), at(20, 3, 30)},
		"before, in UTC":     {at(20, 2, 59).UTC(), at(19, 3, 30)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := latestNight(c.now)
			require.True(t, c.night.Equal(got), "%s: %s", c.now, got)
		})
	}
}

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
	approval := wallet.Approval{Amount: amount, UserID: user, Received: received(d, amount)}
	approved, err := s.wallet.Approve(s.t.Context(), admin, d.ID, approval, nil)
	return s.money(approved.Operation, err)
}

func (s *stressFixture) trade(buyer, seller uuid.UUID, price money.Cents) error {
	if buyer == seller {
		return nil
	}
	d, err := s.deals.Create(s.t.Context(), buyer,
		deals.Draft{
			BuyerID: &buyer, SellerID: &seller,
			Terms: deals.Terms{Price: price, Description: "A channel", DeliveryDays: 7, InspectionDays: 3},
		}, nil)
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

// call returns the context of a call with a request id.
func (f *fixture) call(requestID string) context.Context {
	return tracing.WithRequestID(f.t.Context(), requestID)
}

// moved returns the lines of a deal's statement in short, and requires that each has its operation.
func (f *fixture) moved(deal uuid.UUID) []string {
	f.t.Helper()
	lines, err := (&reports.Service{DB: f.db.API()}).DealStatement(f.t.Context(), deal)
	require.NoError(f.t, err)
	var moved []string
	for _, l := range lines {
		after := "-"
		if l.EscrowAfter != nil {
			after = l.EscrowAfter.String()
		}
		moved = append(moved, fmt.Sprintf("%s: %s %s > %s %s: %s, %s; %s %s", l.Kind, l.From, orNone(l.FromUser), l.To, orNone(l.ToUser),
			l.Amount, after, orNone(l.Actor), orNone(l.RequestID)))
		require.NotNil(f.t, l.Operation)
		op, err := operations.Get(f.t.Context(), f.db.API(), *l.Operation)
		require.NoError(f.t, err)
		require.Equal(f.t, l.Kind, op.Kind)
		require.Equal(f.t, operations.Done, op.Status)
	}
	return moved
}

func orNone(text *string) string {
	if text == nil {
		return "-"
	}
	return *text
}

// traced returns the lines of a user's statement in short.
func (f *fixture) traced(user uuid.UUID) []string {
	f.t.Helper()
	var traced []string
	err := (&reports.Service{DB: f.db.API()}).TracedStatementParts(f.t.Context(), user, reports.StatementFilter{},
		func(_ reports.Statement, lines []reports.TracedLine) error {
			for _, l := range lines {
				traced = append(traced, fmt.Sprintf("%s %s %s", l.Kind, l.Amount, orNone(l.RequestID)))
			}
			return nil
		})
	require.NoError(f.t, err)
	return traced
}

// A payment that was refused leaves nothing in the statement. The reward has the call that has
// completed the deal.
func TestDealStatement_completed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller, referrer := f.withFunds("nusrat", price), f.user("tanvir"), f.user("karim")
	_, err := f.db.Owner().Exec(t.Context(), `update users set referred_by = $1 where id = $2`, referrer, seller)
	require.NoError(t, err)
	d := f.deal(buyer, seller, price)
	refused, err := f.deals.RequestPay(f.call("refused"), buyer, d.ID, deals.AnyTerms, nil)
	require.NoError(t, err)
	operator := *f.ops
	operator.DB = f.db.Worker()
	_, err = operator.End(t.Context(), refused.ID, "a test")
	require.NoError(t, err)
	require.Empty(t, f.moved(d.ID))
	f.start()
	f.settled(f.deals.RequestPay(f.call("paid"), buyer, d.ID, deals.AnyTerms, nil))
	f.settled(f.deals.RequestComplete(f.call("completed"), buyer, d.ID, nil))
	require.Eventually(t, func() bool { return f.balance(referrer) == 1_00 }, 10*time.Second, time.Millisecond)
	require.Equal(t, []string{
		"deal_pay: wallet nusrat > escrow -: 100.00, 100.00; nusrat paid",
		"deal_complete: escrow - > wallet tanvir: 98.00, 0.00; nusrat completed",
		"deal_complete: escrow - > fees -: 1.00, 0.00; nusrat completed",
		"deal_complete: escrow - > referral_payable -: 1.00, 0.00; nusrat completed",
		"referral_credit: referral_payable - > wallet karim: 1.00, -; - completed",
	}, f.moved(d.ID))
	require.Equal(t, []string{"referral_credit 1.00 completed"}, f.traced(referrer))
	require.Equal(t, []string{"deposit_approve 100.00 -", "deal_pay -100.00 paid"}, f.traced(buyer))
	f.reconciled()
}

func TestDealStatement_split_and_refunded(t *testing.T) {
	t.Parallel()
	f := newRoomFixture(t)
	f.settled(f.deals.AcceptOffer(f.call("split"), f.buyer, f.dispute, f.offer(f.seller, 40_00), nil))
	require.Equal(t, []string{
		"deal_pay: wallet nusrat > escrow -: 100.00, 100.00; nusrat -",
		"deal_settle: escrow - > wallet tanvir: 58.80, 0.00; nusrat split",
		"deal_settle: escrow - > wallet nusrat: 40.00, 0.00; nusrat split",
		"deal_settle: escrow - > fees -: 1.20, 0.00; nusrat split",
	}, f.moved(f.id))

	left := f.paid()
	cancelled, err := f.deals.Cancel(f.call("cancelled"), f.seller, left, nil)
	require.NoError(t, err)
	f.settled(*cancelled.Operation, nil)
	require.Equal(t, []string{
		"deal_pay: wallet nusrat > escrow -: 100.00, 100.00; nusrat -",
		"deal_refund: escrow - > wallet nusrat: 100.00, 0.00; tanvir cancelled",
	}, f.moved(left))

	overdue := f.paid()
	f.after(30 * day)
	require.Equal(t, []string{
		"deal_pay: wallet nusrat > escrow -: 100.00, 100.00; nusrat -",
		"deal_refund: escrow - > wallet nusrat: 100.00, 0.00; - -",
	}, f.moved(overdue), "the clock has no call")
	f.reconciled()
}

func TestTracedStatement(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	user, first, second := f.user("nusrat"), f.admin("first"), f.admin("second")
	approval := wallet.Approval{Amount: 50_00, UserID: user}
	approved, err := f.wallet.Approve(f.call("credited"), first, f.report(user, 50_00).ID, approval, nil)
	f.settled(approved.Operation, err)
	f.settled(f.wallet.ConfirmCorrection(f.call("corrected"), second, f.proposed(actor.User(first), user, -5_00).ID, nil))
	held := f.settled(f.wallet.RequestWithdraw(f.call("held"), user,
		wallet.Order{Amount: money.Cents(10_00), PhoneNumber: "01712345678", Method: wallet.Bkash}, nil))
	id, err := held.SubjectID()
	require.NoError(t, err)
	f.settled(f.wallet.RequestCancel(f.call("cancelled"), user, id, nil))
	require.Equal(t, []string{
		"deposit_approve 50.00 credited", "balance_adjust -5.00 corrected", "withdrawal_hold -10.00 held", "withdrawal_cancel 10.00 cancelled",
	}, f.traced(user))
}
