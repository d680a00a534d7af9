package wallet_test

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/domain/notifications"
	"amanat/internal/domain/reports"
	"amanat/internal/domain/trust"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/ledger"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
	"amanat/internal/testing/settling"
	"amanat/queue/jobs"
)

// fixture holds the service with the login of the api and the settler with that of the workers. No
// worker runs.
type fixture struct {
	*wallet.Service
	settler *wallet.Settler
	worker  settling.Worker
	db      *dbtest.DB
	clock   *clock.Offset
	owner   uuid.UUID
	admin   uuid.UUID
	second  uuid.UUID
}

// silent discards what would be published to Redis.
type silent struct{}

func (silent) PublishFrame(uuid.UUID, realtime.Frame) {}
func (silent) PublishAdmins(realtime.Frame)           {}
func (silent) OperationSettled(uuid.UUID)             {}

// newFixture sets a rate of 122.40 and lets one admin credit up to 1,000 dollars alone.
func newFixture(t *testing.T) fixture {
	t.Helper()
	db := dbtest.New(t)
	now := clock.NewOffset(0)
	events := &realtime.Log{Clock: now, Publish: silent{}}
	service := func(pool postgres.DB) *wallet.Service {
		inserter, err := jobs.NewInserter(db.API(), slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		return &wallet.Service{
			DB: pool, Clock: now, Events: events, Jobs: inserter, Limits: trust.Unlimited(),
			Operations: &operations.Service{DB: pool, Clock: now, Enqueuer: inserter, Events: events, Announce: silent{}},
			Notices:    &notifications.Service{DB: pool, Clock: now, Events: events},
			Bounds:     wallet.Bounds{Hold: 24 * time.Hour, Minimum: 1_00, MaxPending: 2}, SecondAdminAbove: 1000_00,
		}
	}
	worker := service(db.Worker())
	f := fixture{
		Service: service(db.API()), db: db, clock: now, settler: &wallet.Settler{
			Service: worker, DepositClaimTTL: 72 * time.Hour, Phones: map[string]string{"shop": phoneKey}, AutoCreditMax: 200_00,
		},
	}
	f.worker = settling.Worker{DB: db.Worker(), Operations: worker.Operations, Kinds: map[string]settling.Kind{
		jobs.KindDepositApprove:   {Settle: f.settler.SettleApprove, Rule: wallet.ApproveRule},
		jobs.KindWithdrawalHold:   {Settle: f.settler.SettleHold, Rule: wallet.HoldRule()},
		jobs.KindWithdrawalSend:   {Settle: f.settler.SettleSend, Rule: wallet.HandlingRule()},
		jobs.KindWithdrawalReject: {Settle: f.settler.SettleReject, Rule: wallet.HandlingRule()},
		jobs.KindWithdrawalCancel: {Settle: f.settler.SettleCancel, Rule: wallet.CancelRule()},
		jobs.KindBalanceAdjust:    {Settle: f.settler.SettleAdjust, Rule: wallet.AdjustRule()},
	}}
	f.owner, f.admin, f.second = f.user(t, "rahim"), f.user(t, "boss"), f.user(t, "chief")
	f.exec(t, `update users set is_admin = true where id in (@admin, @second)`, postgres.Args{"admin": f.admin, "second": f.second})
	require.NoError(t, f.SetRate(t.Context(), actor.Operator(), 122_40, false))
	return f
}

func (f fixture) exec(t *testing.T, sql string, args postgres.Args) {
	t.Helper()
	_, err := f.db.Owner().Exec(t.Context(), sql, args)
	require.NoError(t, err)
}

func (f fixture) user(t *testing.T, name string) uuid.UUID {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	f.exec(t, `
		insert into users (id, username, email, password_hash, is_verified, referral_code, terms_accepted_at, created_at)
		values (@id, @name, @name || '@example.com', '', true, @name, now(), now())`, postgres.Args{"id": id, "name": name})
	return id
}

func (f fixture) report(t *testing.T, userID uuid.UUID, transaction string, amount money.Cents) wallet.Deposit {
	t.Helper()
	d, err := f.ReportDeposit(t.Context(), userID, wallet.Report{Amount: amount, TransactionID: transaction, Method: wallet.Bkash}, nil)
	require.NoError(t, err)
	return d
}

func (f fixture) order(amount money.Cents) wallet.Order {
	return wallet.Order{Amount: amount, PhoneNumber: "01712345678", Method: wallet.Bkash}
}

// settled settles a requested operation, which must succeed.
func (f fixture) settled(t *testing.T, op operations.Operation, err error) operations.Operation {
	t.Helper()
	require.NoError(t, err)
	op = f.worker.Settle(t, op.ID)
	require.NoError(t, op.Err())
	return op
}

// received is what the amount is in taka.
func received(d wallet.Deposit, amount money.Cents) money.Poisha {
	return money.Poisha(int64(amount) * d.Rate)
}

// approve requests the credit of a deposit, as the first admin.
func (f fixture) approve(t *testing.T, d wallet.Deposit, amount money.Cents, reason string) (operations.Operation, error) {
	t.Helper()
	approval := wallet.Approval{Amount: amount, UserID: d.User.ID, Reason: reason, Received: received(d, amount)}
	approved, err := f.Approve(t.Context(), f.admin, d.ID, approval, nil)
	require.False(t, approved.Proposed)
	return approved.Operation, err
}

// approved approves a deposit and settles the approval.
func (f fixture) approved(t *testing.T, d wallet.Deposit) {
	t.Helper()
	op, err := f.approve(t, d, d.Amount, "")
	f.settled(t, op, err)
}

// propose proposes a credit that a second admin has to confirm.
func (f fixture) propose(t *testing.T, admin uuid.UUID, d wallet.Deposit, amount money.Cents) {
	t.Helper()
	approval := wallet.Approval{Amount: amount, UserID: d.User.ID, Received: received(d, amount)}
	approved, err := f.Approve(t.Context(), admin, d.ID, approval, nil)
	require.NoError(t, err)
	require.True(t, approved.Proposed)
}

// payable returns a withdrawal of 10 dollars that its owner has confirmed, so that admins can send
// it.
func (f fixture) payable(t *testing.T) uuid.UUID {
	t.Helper()
	id := f.withdrawal(t).ID
	f.confirm(t, id)
	return id
}

// told returns the English text and the link of the owner's latest notification.
func (f fixture) told(t *testing.T) (text, link string) {
	t.Helper()
	var kind catalog.Kind
	var params catalog.Params
	require.NoError(t, f.db.Owner().QueryRow(t.Context(),
		`select kind, params, link from notifications where user_id = $1 order by id desc limit 1`, f.owner).Scan(&kind, &params, &link))
	return catalog.Render(catalog.English, kind, params), link
}

func (f fixture) count(t *testing.T, sql string, args ...any) (n int) {
	t.Helper()
	require.NoError(t, f.db.Owner().QueryRow(t.Context(), `select count(*) from `+sql, args...).Scan(&n))
	return n
}

// reconciled requires that the books are in order.
func (f fixture) reconciled(t *testing.T) {
	t.Helper()
	findings, err := reports.Reconcile(t.Context(), f.db.Worker())
	require.NoError(t, err)
	require.Empty(t, findings)
}

// withdrawal requests and settles a withdrawal of 10 dollars, which is held because the number is
// new.
func (f fixture) withdrawal(t *testing.T) wallet.WorklistWithdrawal {
	t.Helper()
	op, err := f.RequestWithdraw(t.Context(), f.owner, f.order(10_00), nil)
	f.settled(t, op, err)
	id, err := op.SubjectID()
	require.NoError(t, err)
	w, err := f.GetWithdrawal(t.Context(), id)
	require.NoError(t, err)
	return w
}

func (f fixture) balance(t *testing.T) money.Cents {
	t.Helper()
	cents, err := ledger.WalletBalance(t.Context(), f.db.API(), f.owner)
	require.NoError(t, err)
	return cents
}

func (f fixture) notices(t *testing.T) []catalog.Kind {
	t.Helper()
	kinds, err := postgres.Query[catalog.Kind]("test.notices",
		`select kind from notifications where user_id = @user order by id`).Many(t.Context(), f.db.Owner(), postgres.Args{"user": f.owner})
	require.NoError(t, err)
	return kinds
}

func requireCode(t *testing.T, code fault.Code, err error) {
	t.Helper()
	require.Equal(t, code, fault.CodeOf(err), "%v", err)
}

func TestSetRate(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	requireCode(t, fault.Invalid, f.SetRate(t.Context(), actor.User(f.admin), 134_65, false))
	require.NoError(t, f.SetRate(t.Context(), actor.User(f.admin), 134_64, false), "a tenth")
	require.NoError(t, f.SetRate(t.Context(), actor.User(f.admin), 100_00, true))
	rate, err := f.Rate(t.Context())
	require.NoError(t, err)
	require.Equal(t, money.Rate(100_00), rate)
	history, total, err := f.Rates(t.Context(), postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 3, total)
	require.Equal(t, f.admin, history[0].By.ID)
	require.Nil(t, history[2].By, "the operator")
}

func TestReportDeposit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.report(t, f.owner, "8n7a6d5e4f", 50_00)
	require.Equal(t, "8N7A6D5E4F", d.TransactionID)
	require.EqualValues(t, 123, d.Rate, "rounded up")
	require.Equal(t, money.Poisha(6_150_00), d.ConvertedAmount)
	require.Equal(t, wallet.DepositPending, d.Status)
	require.Zero(t, f.balance(t), "nothing moves before an admin approves it")

	report := wallet.Report{Amount: 50_00, TransactionID: "8N7A6D5E4F", Method: wallet.Bkash}
	_, err := f.ReportDeposit(t.Context(), f.owner, report, nil)
	requireCode(t, fault.Duplicate, err)
	report.TransactionID, report.Taka = "8N7A6D5E4G", new(money.Poisha(6_120_00))
	_, err = f.ReportDeposit(t.Context(), f.owner, report, nil)
	requireCode(t, fault.RateChanged, err)
	report.Taka, report.MaxPending = nil, 1
	_, err = f.ReportDeposit(t.Context(), f.owner, report, nil)
	requireCode(t, fault.Conflict, err)

	_, err = f.RejectDeposit(t.Context(), f.admin, d.ID, wallet.Rejection{Reason: "Nothing came."})
	require.NoError(t, err)
	f.report(t, f.owner, "8N7A6D5E4F", 50_00) // the transaction ID of a rejected deposit is free
}

func TestApprove(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.report(t, f.owner, "8N7A6D5E4F", 50_00)
	approval := wallet.Approval{Amount: 48_00, UserID: f.owner, Reason: "bKash shows less."}
	approved, err := f.Approve(t.Context(), f.admin, d.ID, approval, nil)
	require.NoError(t, err)
	require.False(t, approved.Proposed)
	require.Zero(t, f.balance(t), "only a worker moves money")
	_, err = f.RejectDeposit(t.Context(), f.admin, d.ID, wallet.Rejection{})
	requireCode(t, fault.Conflict, err)
	f.settled(t, approved.Operation, nil)
	require.Equal(t, money.Cents(48_00), f.balance(t))
	require.Equal(t, []catalog.Kind{catalog.DepositChanged}, f.notices(t))
	credited, err := f.GetDeposit(t.Context(), d.ID)
	require.NoError(t, err)
	require.Equal(t, []money.Cents{50_00, 48_00}, []money.Cents{credited.ClaimedAmount, credited.Amount})
	require.Equal(t, money.Poisha(5_904_00), credited.ConvertedAmount)
	require.Equal(t, "bKash shows less.", *credited.Reason)
	audited, err := postgres.Query[string]("test.audited",
		`select actor_id::text from audit_log where action = 'deposit.approve'`).Many(t.Context(), f.db.Owner(), postgres.Args{})
	require.NoError(t, err)
	require.Equal(t, []string{f.admin.String()}, audited)
	_, err = f.Approve(t.Context(), f.second, d.ID, approval, nil)
	requireCode(t, fault.AlreadyHandled, err)
	own := f.report(t, f.second, "8N7A6D5E4G", 50_00)
	_, err = f.Approve(t.Context(), f.second, own.ID, wallet.Approval{Amount: 50_00, UserID: f.second}, nil)
	requireCode(t, fault.Forbidden, err)
	_, err = f.RejectDeposit(t.Context(), f.admin, d.ID, wallet.Rejection{})
	requireCode(t, fault.AlreadyHandled, err)
}

func TestApprove_second_admin(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.report(t, f.owner, "8N7A6D5E4F", 1000_01)
	_, err := f.ConfirmCredit(t.Context(), f.second, d.ID, 1000_01, received(d, 1000_01), nil)
	requireCode(t, fault.Conflict, err)
	f.propose(t, f.admin, d, 1000_01)
	_, err = f.ConfirmCredit(t.Context(), f.second, d.ID, 1000_01, 0, nil)
	require.Contains(t, fault.As(err).Fields, "receivedTaka", "the second admin looks at the payment, too")
	_, err = f.ConfirmCredit(t.Context(), f.admin, d.ID, 1000_01, received(d, 1000_01), nil)
	requireCode(t, fault.Forbidden, err)
	_, err = f.ConfirmCredit(t.Context(), f.second, d.ID, 1000_02, received(d, 1000_02), nil)
	requireCode(t, fault.Invalid, err)
	op, err := f.ConfirmCredit(t.Context(), f.second, d.ID, 1000_01, received(d, 1000_01), nil)
	require.NoError(t, err)
	f.settled(t, op, nil)
	require.Equal(t, money.Cents(1000_01), f.balance(t))
	require.Equal(t, []catalog.Kind{catalog.DepositApproved}, f.notices(t))
}

// A proposer who has lost the admin role does not count as the first admin.
func TestConfirmCredit_proposer_gone(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.report(t, f.owner, "8N7A6D5E4F", 1000_01)
	f.propose(t, f.admin, d, 1000_01)
	op, err := f.ConfirmCredit(t.Context(), f.second, d.ID, 1000_01, received(d, 1000_01), nil)
	require.NoError(t, err)
	f.exec(t, `update users set is_admin = false where id = @id`, postgres.Args{"id": f.admin})
	requireCode(t, fault.Conflict, f.worker.Settle(t, op.ID).Err())
	_, err = f.ConfirmCredit(t.Context(), f.second, d.ID, 1000_01, received(d, 1000_01), nil)
	requireCode(t, fault.Conflict, err)
	require.Zero(t, f.balance(t))
}

func TestConfirmCredit_replaced_or_rejected_proposal(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	confirm := func(admin uuid.UUID, d wallet.Deposit, amount money.Cents) (operations.Operation, error) {
		return f.ConfirmCredit(ctx, admin, d.ID, amount, received(d, amount), nil)
	}
	d := f.report(t, f.owner, "8N7A6D5E41", 1200_00)
	f.propose(t, f.admin, d, 1200_00)
	f.propose(t, f.second, d, 1250_00)
	_, err := confirm(f.second, d, 1250_00)
	requireCode(t, fault.Forbidden, err) // whoever approves again is the first of the two
	_, err = f.ClaimDeposit(ctx, f.second, d.ID)
	require.NoError(t, err)
	_, err = confirm(f.admin, d, 1200_00)
	requireCode(t, fault.Invalid, err) // of before
	_, err = f.RejectDeposit(ctx, f.second, d.ID, wallet.Rejection{Reason: "Nothing came."})
	require.NoError(t, err)
	_, err = confirm(f.admin, d, 1250_00)
	requireCode(t, fault.AlreadyHandled, err)

	d = f.report(t, f.owner, "8N7A6D5E42", 1200_00)
	_, err = confirm(f.admin, d, 1200_00)
	requireCode(t, fault.Conflict, err) // nothing is proposed
	f.propose(t, f.second, d, 1250_00)
	_, err = f.ClaimDeposit(ctx, f.second, d.ID)
	require.NoError(t, err)
	// The claim of the admin who proposed the credit does not prevent the confirmation.
	op, err := confirm(f.admin, d, 1250_00)
	f.settled(t, op, err)
	require.EqualValues(t, 1250_00, f.balance(t))
}

func TestApprove_old_deposit_at_present_rate(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var reported []wallet.Deposit
	for i := range 4 {
		reported = append(reported, f.report(t, f.owner, fmt.Sprintf("8N7A6D5E4%d", i), 100_00))
	}
	young, old, less, explained := reported[0], reported[1], reported[2], reported[3]
	require.NoError(t, f.SetRate(t.Context(), actor.Operator(), 127_10, false)) // 128 taka a dollar
	f.clock.Advance(24*time.Hour - time.Minute)
	f.approved(t, young)
	f.clock.Advance(time.Minute + time.Second)
	seen, err := f.GetDeposit(t.Context(), old.ID)
	require.NoError(t, err)
	require.EqualValues(t, 128, seen.CreditRate)
	require.EqualValues(t, 96_09, seen.CreditAmount, "12,300 taka, rounded down to the cent")
	_, err = f.approve(t, old, 96_10, "")
	require.Contains(t, fault.As(err).Fields, "reason")
	credits := func(d wallet.Deposit, amount money.Cents, reason string) {
		op, err := f.approve(t, d, amount, reason)
		f.settled(t, op, err)
	}
	credits(old, 96_09, "")
	text, _ := f.told(t)
	require.Contains(t, text, "$96.09 is in your balance; you reported $100.00. It was counted at today's rate")
	credits(less, 95_00, "")
	credits(explained, 100_00, "We were late.")
	for id, want := range map[uuid.UUID][3]int64{
		young.ID: {123, 100_00, 12_300_00}, old.ID: {128, 96_09, 12_299_52}, less.ID: {128, 95_00, 12_160_00},
		explained.ID: {128, 100_00, 12_800_00},
	} {
		d, err := f.GetDeposit(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, want, [3]int64{d.Rate, int64(d.Amount), int64(d.ConvertedAmount)})
	}
	f.reconciled(t)
}

func TestClaimDeposit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.report(t, f.owner, "8N7A6D5E4F", 50_00)
	_, err := f.ClaimDeposit(t.Context(), f.admin, d.ID)
	require.NoError(t, err)
	_, err = f.ClaimDeposit(t.Context(), f.second, d.ID)
	requireCode(t, fault.AlreadyHandled, err)
	f.clock.Advance(5 * time.Minute)
	_, err = f.ClaimDeposit(t.Context(), f.second, d.ID)
	require.NoError(t, err, "the claim has expired")
}

func TestRejectDeposit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.report(t, f.owner, "8N7A6D5E4F", 50_00)
	rejected, err := f.RejectDeposit(t.Context(), f.admin, d.ID, wallet.Rejection{Reason: " Not on the statement "})
	require.NoError(t, err)
	require.Equal(t, wallet.DepositFailed, rejected.Status)
	require.Equal(t, "Not on the statement", *rejected.Reason)
	require.False(t, rejected.Expired())
	require.Equal(t, []catalog.Kind{catalog.DepositRejected}, f.notices(t))
}

func TestExpireDeposits(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.report(t, f.owner, "8N7A6D5E4F", 50_00)
	claimed, proposed := f.report(t, f.owner, "8N7A6D5E41", 20_00), f.report(t, f.owner, "8N7A6D5E42", 2000_00)
	pending := f.report(t, f.owner, "8N7A6D5E43", 30_00)
	f.propose(t, f.admin, proposed, 2000_00)
	expires := func(want int) {
		t.Helper()
		n, err := f.settler.ExpireDeposits(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
	f.clock.Advance(71 * time.Hour)
	_, err := f.ClaimDeposit(t.Context(), f.admin, claimed.ID)
	require.NoError(t, err)
	expires(0)
	op, err := f.approve(t, pending, 30_00, "")
	require.NoError(t, err)
	f.clock.Advance(2 * time.Hour)
	expires(1)
	expires(0)
	expired, err := f.GetDeposit(t.Context(), d.ID)
	require.NoError(t, err)
	require.True(t, expired.Expired())
	require.Nil(t, expired.HandledBy)
	require.NotNil(t, expired.HandledAt)
	require.Equal(t, []catalog.Kind{catalog.DepositExpired}, f.notices(t))
	text, link := f.told(t)
	require.Equal(t, "Nobody could check your deposit of $50.00 with transaction ID 8N7A6D5E4F in time, so it has expired. "+
		"If you sent the money, report it again with the same ID.", text)
	require.Equal(t, "/balance/deposits/"+d.ID.String(), link)
	f.settled(t, op, nil)
	require.False(t, f.report(t, f.owner, "8N7A6D5E4F", 50_00).Disputed, "the number is free again")
	f.clock.Advance(72 * time.Hour)
	expires(2) // 72 hours after the claim ran out
}
