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

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/app/config"
	"amanat/internal/app/images"
	"amanat/internal/devtools/localstack"
	"amanat/internal/domain/chat"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/notifications"
	"amanat/internal/domain/referrals"
	"amanat/internal/domain/reports"
	"amanat/internal/domain/trust"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/ledger"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
	"amanat/queue/jobs"
	"amanat/queue/repair"
	"amanat/queue/trace"
)

// fixture has the API's services with the API's database role, and the workers' River client with
// the workers' role, on one database.
type fixture struct {
	t       testing.TB
	db      *dbtest.DB
	clock   *clock.Offset
	ops     *operations.Service
	jobs    jobs.Inserter // of the API
	deals   *deals.Service
	rewards *referrals.Settler
	wallet  *wallet.Service
	waiter  *operations.Waiter
	mails   *localstack.MailCatcher
	queues  *queueRecorder
	client  *river.Client[pgx.Tx] // of the workers
}

// direct replaces Redis within one process.
type direct struct {
	waiter *operations.Waiter
	queues *queueRecorder
}

func (d direct) PublishFrame(uuid.UUID, realtime.Frame) {}
func (d direct) PublishAdmins(frame realtime.Frame)     { d.queues.add(frame) }
func (d direct) OperationSettled(id uuid.UUID)          { d.waiter.Settled(id) }

// Online says that nobody has a page open.
func (d direct) Online(context.Context, []uuid.UUID) (map[uuid.UUID]struct{}, error) {
	return map[uuid.UUID]struct{}{}, nil
}

// bounds limits withdrawals as a deployment does.
var bounds = wallet.Bounds{Hold: 24 * time.Hour, Minimum: 1_00, MaxPending: 5}

// newFixture creates everything but does not start the workers.
func newFixture(t testing.TB) *fixture {
	t.Helper()
	return newFixtureAt(t, clock.NewOffset(0))
}

// newFixtureAt is newFixture with the given clock.
func newFixtureAt(t testing.TB, at *clock.Offset) *fixture {
	t.Helper()
	db := dbtest.New(t)
	f := &fixture{t: t, db: db, clock: at, queues: &queueRecorder{t: t}}
	f.waiter = operations.NewWaiter(db.API(), 20*time.Second)
	log := slog.New(slog.DiscardHandler)
	mails, err := localstack.StartMail(context.WithoutCancel(t.Context()), f.clock.Now)
	require.NoError(t, err)
	t.Cleanup(func() { _ = mails.Stop() })
	f.mails = mails

	messages := direct{f.waiter, f.queues}
	inserter, err := jobs.NewInserter(db.API(), log, trace.Insert())
	require.NoError(t, err)
	events := &realtime.Log{Clock: f.clock, Publish: messages}
	f.jobs = inserter
	f.ops = &operations.Service{DB: db.API(), Clock: f.clock, Enqueuer: inserter, Events: events, Announce: messages}
	notices := &notifications.Service{DB: db.API(), Clock: f.clock, Events: events}
	pictures := images.New(images.Options{DB: db.API(), Clock: f.clock})
	f.deals = &deals.Service{
		DB: db.API(), Clock: f.clock, Operations: f.ops, Events: events, Notices: notices, Jobs: inserter, Limits: trust.Unlimited(),
		Images:        pictures,
		Conversations: &chat.Service{DB: db.API(), Clock: f.clock, Events: events, Images: pictures, Presence: nobody{}, Pushes: notices},
	}
	f.rewards = &referrals.Settler{DB: db.Worker(), Share: 100, Clock: f.clock, Operations: f.ops, Events: events, Notices: notices}
	f.wallet = &wallet.Service{
		DB: db.API(), Clock: f.clock, Operations: f.ops, Events: events, Notices: notices, Jobs: inserter, SecondAdminAbove: 1000_00,
		Bounds: bounds, Limits: trust.Unlimited(),
	}
	f.client, err = Assemble(f.dependencies())
	require.NoError(t, err)
	require.NoError(t, f.wallet.SetRate(t.Context(), actor.Operator(), 122_40, false))
	return f
}

// dependencies returns those of a worker process.
func (f *fixture) dependencies() Dependencies {
	return Dependencies{
		Config: config.Worker{
			SMTPURL: f.mails.URL(), MailFrom: "Amanat <no-reply@amanat.test>", SupportEmail: "support@amanat.test",
			SoftStop: time.Second, ReferralShare: 100, DepositClaimTTL: 72 * time.Hour,
			Shared: config.Shared{
				PublicURL: "http://amanat.test", CreditSecondAdmin: 1000, WithdrawalHold: bounds.Hold, MinWithdrawal: config.USD(bounds.Minimum),
				Limits: config.Limits{MaxPendingWithdrawals: bounds.MaxPending},
			},
		},
		Clock: f.clock, DB: f.db.Worker(), QueueDB: f.db.Worker(), Logger: slog.New(slog.DiscardHandler),
		Messages: direct{f.waiter, f.queues}, Queues: jobs.Queues(),
	}
}

// start runs the workers until the test ends.
func (f *fixture) start() {
	f.t.Helper()
	f.startClient(f.client)
}

// startClient runs a client's workers until the test ends.
func (f *fixture) startClient(client *river.Client[pgx.Tx]) {
	f.t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(f.t.Context()))
	require.NoError(f.t, client.Start(ctx))
	f.t.Cleanup(func() {
		cancel()
		<-client.Stopped()
	})
}

func (f *fixture) user(name string) uuid.UUID {
	f.t.Helper()
	id, err := uuid.NewV7()
	require.NoError(f.t, err)
	_, err = f.db.Owner().Exec(f.t.Context(), `
		insert into users (id, username, email, password_hash, is_verified, referral_code, terms_accepted_at, created_at)
		values ($1, $2, $2 || '@example.com', '', true, $2, now(), now())`, id, name)
	require.NoError(f.t, err)
	return id
}

func (f *fixture) admin(name string) uuid.UUID {
	f.t.Helper()
	id := f.user(name)
	_, err := f.db.Owner().Exec(f.t.Context(), `update users set is_admin = true where id = $1`, id)
	require.NoError(f.t, err)
	return id
}

// settled waits for the operation, which must succeed.
func (f *fixture) settled(op operations.Operation, err error) operations.Operation {
	f.t.Helper()
	require.NoError(f.t, err)
	op, err = f.waiter.Wait(f.t.Context(), op)
	require.NoError(f.t, err)
	require.NoError(f.t, op.Err())
	require.Equal(f.t, operations.Done, op.Status)
	return op
}

// pause stops the running workers from fetching money jobs until resume is called. The row in
// river_queue is not enough to wait for: a producer may fetch until it reads that it is paused.
func (f *fixture) pause() (resume func()) {
	f.t.Helper()
	paused, unsubscribe := f.client.Subscribe(river.EventKindQueuePaused)
	defer unsubscribe()
	operator, err := repair.New(f.db.Worker(), f.clock)
	require.NoError(f.t, err)
	require.NoError(f.t, operator.Pause(f.t.Context(), jobs.QueueMoney, "a test"))
	select {
	case event := <-paused:
		require.Equal(f.t, jobs.QueueMoney, event.Queue.Name)
	case <-time.After(20 * time.Second):
		require.Fail(f.t, "the money queue was not paused")
	}
	return func() {
		f.t.Helper()
		require.NoError(f.t, operator.Resume(f.t.Context(), jobs.QueueMoney))
	}
}

// fund credits the user with reported and approved deposits, each small enough for one admin to
// approve alone.
func (f *fixture) fund(userID, admin uuid.UUID, amount money.Cents) {
	f.t.Helper()
	for part := min(amount, f.wallet.SecondAdminAbove); amount > 0; amount -= part {
		part = min(part, amount)
		f.settled(f.approve(admin, f.report(userID, part), part, ""))
	}
}

// approve requests the approval of a deposit with an amount that needs no second admin.
func (f *fixture) approve(admin uuid.UUID, d wallet.Deposit, amount money.Cents, reason string) (operations.Operation, error) {
	f.t.Helper()
	approval := wallet.Approval{Amount: amount, UserID: d.User.ID, Reason: reason, Received: received(d, amount)}
	approved, err := f.wallet.Approve(f.t.Context(), admin, d.ID, approval, nil)
	require.False(f.t, approved.Proposed && err == nil)
	return approved.Operation, err
}

func (f *fixture) report(userID uuid.UUID, amount money.Cents) wallet.Deposit {
	f.t.Helper()
	transaction := uuid.NewString()[24:]
	d, err := f.wallet.ReportDeposit(f.t.Context(), userID,
		wallet.Report{Amount: amount, TransactionID: transaction, Method: wallet.Bkash}, nil)
	require.NoError(f.t, err)
	return d
}

// withdrawal requests a withdrawal and returns its ID. It is on hold, because the number is new.
func (f *fixture) withdrawal(userID uuid.UUID, amount money.Cents) uuid.UUID {
	f.t.Helper()
	op := f.settled(f.wallet.RequestWithdraw(f.t.Context(), userID,
		wallet.Order{Amount: amount, PhoneNumber: "01712345678", Method: wallet.Bkash}, nil))
	id, err := op.SubjectID()
	require.NoError(f.t, err)
	return id
}

// confirm does what the link emailed to the owner does.
func (f *fixture) confirm(owner, id uuid.UUID) {
	f.t.Helper()
	require.NoError(f.t, postgres.WithTx(f.t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		return f.wallet.Confirm(f.t.Context(), tx, owner, id)
	}))
}

// deal returns a deal created, and therefore accepted, by its seller.
func (f *fixture) deal(buyer, seller uuid.UUID, price money.Cents) deals.Deal {
	f.t.Helper()
	d, err := f.deals.Create(f.t.Context(), seller,
		deals.Draft{
			BuyerID: &buyer, SellerID: &seller,
			Terms: deals.Terms{Price: price, Description: "A channel", DeliveryDays: 7, InspectionDays: 3},
		}, nil)
	require.NoError(f.t, err)
	return d.Deal
}

func (f *fixture) balance(userID uuid.UUID) money.Cents {
	f.t.Helper()
	cents, err := ledger.WalletBalance(f.t.Context(), f.db.API(), userID)
	require.NoError(f.t, err)
	return cents
}

func (f *fixture) reconciled() {
	f.t.Helper()
	findings, err := reports.Reconcile(f.t.Context(), f.db.Worker())
	require.NoError(f.t, err)
	require.Empty(f.t, findings)
}

func (f *fixture) count(sql string, args ...any) int {
	f.t.Helper()
	var n int
	require.NoError(f.t, f.db.Owner().QueryRow(f.t.Context(), sql, args...).Scan(&n))
	return n
}

// told returns the English text and the link of the user's latest notification.
func (f *fixture) told(userID uuid.UUID) (text, link string) {
	f.t.Helper()
	var kind catalog.Kind
	var params catalog.Params
	require.NoError(f.t, f.db.Owner().QueryRow(f.t.Context(),
		`select kind, params, link from notifications where user_id = $1 order by id desc limit 1`, userID).Scan(&kind, &params, &link))
	return catalog.Render(catalog.English, kind, params), link
}

// books returns everything that a money operation could change, to compare before and after an
// attempt that must change nothing.
func (f *fixture) books() string {
	f.t.Helper()
	var state json.RawMessage
	require.NoError(f.t, f.db.Owner().QueryRow(f.t.Context(), `
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
