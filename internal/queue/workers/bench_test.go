package workers

import (
	"context"
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"amanat/internal/devtools/localstack"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/notifications"
	"amanat/internal/domain/referrals"
	"amanat/internal/domain/reports"
	"amanat/internal/domain/wallet"
	"amanat/internal/money"
	"amanat/internal/money/ledger"
	"amanat/internal/money/operations"
	"amanat/internal/platform/actor"
	"amanat/internal/platform/catalog"
	"amanat/internal/platform/clock"
	"amanat/internal/platform/config"
	"amanat/internal/platform/postgres"
	"amanat/internal/queue/jobs"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
)

// bench is the api's side (its services on the api's role) and the workers' (their client on the workers' role) over one database.
type bench struct {
	t       testing.TB
	db      *dbtest.DB
	clock   *clock.Offset
	ops     *operations.Service
	deals   *deals.Service
	rewards *referrals.Settler
	wallet  *wallet.Service
	waiter  *operations.Waiter
	mails   *localstack.MailCatcher
	queues  *queueRecorder
	client  *river.Client[pgx.Tx]
}

// direct stands for Redis within one process.
type direct struct {
	waiter *operations.Waiter
	queues *queueRecorder
}

func (d direct) PublishFrame(uuid.UUID, realtime.Frame) {}
func (d direct) PublishAdmins(frame realtime.Frame)     { d.queues.add(frame) }
func (d direct) OperationSettled(id uuid.UUID)          { d.waiter.Settled(id) }

// bounds are a deployment's.
var bounds = config.Withdrawals{WithdrawalHold: 24 * time.Hour, MinWithdrawal: 1_00, MaxPendingWithdrawals: 5}

// newBench makes everything and starts nothing.
func newBench(t testing.TB) *bench {
	t.Helper()
	db := dbtest.New(t)
	b := &bench{t: t, db: db, clock: clock.NewOffset(0), queues: &queueRecorder{t: t}}
	b.waiter = operations.NewWaiter(db.API(), 20*time.Second)
	log := slog.New(slog.DiscardHandler)
	mails, err := localstack.StartMail(context.WithoutCancel(t.Context()), b.clock.Now)
	require.NoError(t, err)
	t.Cleanup(func() { _ = mails.Stop() })
	b.mails = mails

	messages := direct{b.waiter, b.queues}
	inserter, err := jobs.NewInserter(db.API(), log)
	require.NoError(t, err)
	events := &realtime.Log{Clock: b.clock, Publish: messages}
	b.ops = &operations.Service{DB: db.API(), Clock: b.clock, Enqueuer: inserter, Events: events, Announce: messages}
	notices := &notifications.Service{DB: db.API(), Clock: b.clock, Events: events, Enqueuer: inserter}
	b.deals = &deals.Service{DB: db.API(), Clock: b.clock, Operations: b.ops, Events: events, Notices: notices, Jobs: inserter}
	b.rewards = &referrals.Settler{Share: 100, Clock: b.clock, Operations: b.ops, Events: events, Notices: notices}
	b.wallet = &wallet.Service{
		DB: db.API(), Clock: b.clock, Operations: b.ops, Events: events, Notices: notices, Jobs: inserter, SecondAdminAbove: 1000_00,
		Bounds: wallet.BoundsOf(bounds),
	}
	b.client, err = Assemble(Dependencies{
		Config: config.Worker{
			SMTPURL: mails.URL(), MailFrom: "Amanat <no-reply@amanat.test>", PublicURL: "http://amanat.test",
			SupportEmail: "support@amanat.test", SoftStop: time.Second, ReferralShare: 100,
			CreditSecondAdmin: 1000, DepositClaimTTL: 72 * time.Hour, Withdrawals: bounds,
		},
		Clock: b.clock, DB: db.Worker(), QueueDB: db.Worker(), Logger: log, Messages: messages, Queues: jobs.Queues(),
	})
	require.NoError(t, err)
	require.NoError(t, b.wallet.SetRate(t.Context(), actor.Operator(), 122_40, false))
	return b
}

// start runs the workers until the test ends.
func (b *bench) start() {
	b.t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(b.t.Context()))
	require.NoError(b.t, b.client.Start(ctx))
	b.t.Cleanup(func() {
		stop()
		<-b.client.Stopped()
	})
}

func (b *bench) user(name string) uuid.UUID {
	b.t.Helper()
	id, err := uuid.NewV7()
	require.NoError(b.t, err)
	_, err = b.db.Owner().Exec(b.t.Context(), `
		insert into users (id, username, email, password_hash, is_verified, referral_code, terms_accepted_at, created_at)
		values ($1, $2, $2 || '@example.com', '', true, $2, now(), now())`, id, name)
	require.NoError(b.t, err)
	return id
}

func (b *bench) admin(name string) uuid.UUID {
	b.t.Helper()
	id := b.user(name)
	_, err := b.db.Owner().Exec(b.t.Context(), `update users set is_admin = true where id = $1`, id)
	require.NoError(b.t, err)
	return id
}

// settled waits for an operation that must succeed.
func (b *bench) settled(op operations.Operation, err error) operations.Operation {
	b.t.Helper()
	require.NoError(b.t, err)
	op, err = b.waiter.Wait(b.t.Context(), op)
	require.NoError(b.t, err)
	require.NoError(b.t, op.Err())
	require.Equal(b.t, operations.Done, op.Status)
	return op
}

// fund brings money in the way users do: by reports and approvals, each of no more than one admin may approve alone.
// pause keeps the workers from money until resume is called.
func (b *bench) pause() (resume func()) {
	b.t.Helper()
	require.NoError(b.t, b.client.QueuePause(b.t.Context(), "money", nil))
	require.Eventually(b.t, func() bool {
		return b.count(`select count(*) from river.river_queue where name = 'money' and paused_at is not null`) == 1
	}, 10*time.Second, 10*time.Millisecond)
	return func() {
		b.t.Helper()
		require.NoError(b.t, b.client.QueueResume(b.t.Context(), "money", nil))
	}
}

func (b *bench) fund(userID, admin uuid.UUID, amount money.Cents) {
	b.t.Helper()
	for part := min(amount, b.wallet.SecondAdminAbove); amount > 0; amount -= part {
		part = min(part, amount)
		b.settled(b.approve(admin, b.report(userID, part), part, ""))
	}
}

// approve asks to credit a deposit with an amount that needs no second admin.
func (b *bench) approve(admin uuid.UUID, d wallet.Deposit, amount money.Cents, reason string) (operations.Operation, error) {
	b.t.Helper()
	approved, err := b.wallet.Approve(b.t.Context(), admin, d.ID, wallet.Approval{Amount: amount, UserID: d.User.ID, Reason: reason}, nil)
	require.False(b.t, approved.Proposed && err == nil)
	return approved.Operation, err
}

func (b *bench) report(userID uuid.UUID, amount money.Cents) wallet.Deposit {
	b.t.Helper()
	transaction := uuid.NewString()[24:]
	d, err := b.wallet.ReportDeposit(b.t.Context(), userID,
		wallet.Report{Amount: amount, TransactionID: transaction, Method: wallet.Bkash}, nil)
	require.NoError(b.t, err)
	return d
}

// withdrawal asks for a payout of the amount and returns its id. The number is new: it is held.
func (b *bench) withdrawal(userID uuid.UUID, amount money.Cents) uuid.UUID {
	b.t.Helper()
	op := b.settled(b.wallet.RequestWithdraw(b.t.Context(), userID,
		wallet.Order{Amount: amount, PhoneNumber: "01712345678", Method: wallet.Bkash}, nil))
	id, err := op.SubjectID()
	require.NoError(b.t, err)
	return id
}

// confirm does what the owner's mailed link does.
func (b *bench) confirm(owner, id uuid.UUID) {
	b.t.Helper()
	require.NoError(b.t, postgres.WithTx(b.t.Context(), b.db.API(), func(tx *postgres.Tx) error {
		return b.wallet.Confirm(b.t.Context(), tx, owner, id)
	}))
}

// deal is made by its seller, who therefore has agreed to it.
func (b *bench) deal(buyer, seller uuid.UUID, price money.Cents) deals.Deal {
	b.t.Helper()
	d, err := b.deals.Create(b.t.Context(), seller,
		deals.Draft{BuyerID: &buyer, SellerID: &seller, Price: price, Description: "A channel", DeliveryDays: 7}, nil)
	require.NoError(b.t, err)
	return d.Deal
}

func (b *bench) balance(userID uuid.UUID) money.Cents {
	b.t.Helper()
	cents, err := ledger.WalletBalance(b.t.Context(), b.db.API(), userID)
	require.NoError(b.t, err)
	return cents
}

func (b *bench) reconciled() {
	b.t.Helper()
	findings, err := reports.Reconcile(b.t.Context(), b.db.Worker())
	require.NoError(b.t, err)
	require.Empty(b.t, findings)
}

func (b *bench) count(sql string, args ...any) int {
	b.t.Helper()
	var n int
	require.NoError(b.t, b.db.Owner().QueryRow(b.t.Context(), sql, args...).Scan(&n))
	return n
}

// told returns what the latest notification of the user says in English, and where it leads.
func (b *bench) told(userID uuid.UUID) (text, link string) {
	b.t.Helper()
	var kind catalog.Kind
	var params catalog.Params
	require.NoError(b.t, b.db.Owner().QueryRow(b.t.Context(),
		`select kind, params, link from notifications where user_id = $1 order by id desc limit 1`, userID).Scan(&kind, &params, &link))
	return catalog.Render(catalog.English, kind, params), link
}

// books is everything that money could have changed, for comparing before and after what must change nothing.
func (b *bench) books() string {
	b.t.Helper()
	var state json.RawMessage
	require.NoError(b.t, b.db.Owner().QueryRow(b.t.Context(), `
		select jsonb_build_object(
		  'accounts', (select jsonb_agg(to_jsonb(a) order by a.id) from ledger.accounts a),
		  'transfers', (select count(*) from ledger.transfers), 'entries', (select count(*) from ledger.entries),
		  'deals', (select jsonb_agg(to_jsonb(d) order by d.id) from deals d),
		  'deposits', (select jsonb_agg(to_jsonb(d) - 'claimed_by' - 'claimed_until' order by d.id) from deposits d),
		  'withdrawals', (select jsonb_agg(to_jsonb(w) - 'claimed_by' - 'claimed_until' order by w.id) from withdrawals w),
		  'deal_events', (select count(*) from deal_events), 'notifications', (select count(*) from notifications),
		  'audit_log', (select count(*) from audit_log))`).Scan(&state))
	return string(state)
}
