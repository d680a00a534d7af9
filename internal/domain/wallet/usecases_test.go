package wallet_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/domain/notifications"
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
	"amanat/queue/jobs"
)

// fixture holds the service with the login of the api and the settler with that of the workers. No
// worker runs.
type fixture struct {
	*wallet.Service
	settler    *wallet.Settler
	operations *operations.Service // with the login of the workers
	db         *dbtest.DB
	clock      *clock.Offset
	owner      uuid.UUID
	admin      uuid.UUID
	second     uuid.UUID
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
		Service: service(db.API()), operations: worker.Operations, db: db, clock: now,
		settler: &wallet.Settler{Service: worker, DepositClaimTTL: 72 * time.Hour},
	}
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

// settle settles an operation as a worker does, and requires that it succeeds.
func (f fixture) settle(
	t *testing.T, op operations.Operation, how func(*wallet.Settler, *postgres.Tx, operations.Operation) (any, error),
) {
	t.Helper()
	require.NoError(t, postgres.WithTx(t.Context(), f.db.Worker(), func(tx *postgres.Tx) error {
		locked := f.operations.QueueLockAll(tx, []uuid.UUID{op.ID})
		if err := tx.Flush(t.Context()); err != nil {
			return err
		}
		result, err := how(f.settler, tx, locked[op.ID])
		if err != nil {
			return err
		}
		return f.operations.Finish(tx, locked[op.ID], result)
	}))
}

// withdrawal requests and settles a withdrawal of 10 dollars, which is held because the number is
// new.
func (f fixture) withdrawal(t *testing.T) wallet.WorklistWithdrawal {
	t.Helper()
	op, err := f.RequestWithdraw(t.Context(), f.owner, f.order(10_00), nil)
	require.NoError(t, err)
	f.settle(t, op, func(s *wallet.Settler, tx *postgres.Tx, op operations.Operation) (any, error) {
		return s.SettleHold(t.Context(), tx, op)
	})
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
	other := f.user(t, "karim")
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

	require.True(t, f.report(t, other, "8N7A6D5E4F", 50_00).Disputed)
	first, err := f.GetDeposit(t.Context(), d.ID)
	require.NoError(t, err)
	require.True(t, first.Disputed, "both are")
	require.Len(t, first.Rivals, 1)

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
	f.settle(t, approved.Operation, func(s *wallet.Settler, tx *postgres.Tx, op operations.Operation) (any, error) {
		return s.SettleApprove(t.Context(), tx, op)
	})
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
	_, err = f.RejectDeposit(t.Context(), f.admin, d.ID, wallet.Rejection{})
	requireCode(t, fault.AlreadyHandled, err)
}

func TestApprove_second_admin(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.report(t, f.owner, "8N7A6D5E4F", 1000_01)
	_, err := f.ConfirmCredit(t.Context(), f.second, d.ID, 1000_01, nil)
	requireCode(t, fault.Conflict, err)
	approved, err := f.Approve(t.Context(), f.admin, d.ID, wallet.Approval{Amount: 1000_01, UserID: f.owner}, nil)
	require.NoError(t, err)
	require.True(t, approved.Proposed)
	_, err = f.ConfirmCredit(t.Context(), f.admin, d.ID, 1000_01, nil)
	requireCode(t, fault.Forbidden, err)
	_, err = f.ConfirmCredit(t.Context(), f.second, d.ID, 1000_02, nil)
	requireCode(t, fault.Invalid, err)
	op, err := f.ConfirmCredit(t.Context(), f.second, d.ID, 1000_01, nil)
	require.NoError(t, err)
	f.settle(t, op, func(s *wallet.Settler, tx *postgres.Tx, op operations.Operation) (any, error) {
		return s.SettleApprove(t.Context(), tx, op)
	})
	require.Equal(t, money.Cents(1000_01), f.balance(t))
	require.Equal(t, []catalog.Kind{catalog.DepositApproved}, f.notices(t))
}

// A proposer who has lost the admin role does not count as the first admin.
func TestConfirmCredit_proposer_gone(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.report(t, f.owner, "8N7A6D5E4F", 1000_01)
	_, err := f.Approve(t.Context(), f.admin, d.ID, wallet.Approval{Amount: 1000_01, UserID: f.owner}, nil)
	require.NoError(t, err)
	f.exec(t, `update users set is_admin = false where id = @id`, postgres.Args{"id": f.admin})
	_, err = f.ConfirmCredit(t.Context(), f.second, d.ID, 1000_01, nil)
	requireCode(t, fault.Conflict, err)
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
	f.clock.Advance(71 * time.Hour)
	n, err := f.settler.ExpireDeposits(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
	f.clock.Advance(2 * time.Hour)
	n, err = f.settler.ExpireDeposits(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	expired, err := f.GetDeposit(t.Context(), d.ID)
	require.NoError(t, err)
	require.True(t, expired.Expired())
	require.Equal(t, []catalog.Kind{catalog.DepositExpired}, f.notices(t))
}

func TestRequestWithdraw(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.RequestWithdraw(t.Context(), f.owner, f.order(10_00), nil)
	requireCode(t, fault.InsufficientBalance, err)
	require.EqualValues(t, 10_00, fault.As(err).Shortfall)
	f.db.Fund(f.owner, 50_00)
	order := f.order(10_00)
	order.Taka = new(money.Poisha(1_230_00))
	_, err = f.RequestWithdraw(t.Context(), f.owner, order, nil)
	requireCode(t, fault.RateChanged, err)

	w := f.withdrawal(t)
	require.EqualValues(t, 122, w.Rate, "rounded down")
	require.Equal(t, money.Poisha(1_220_00), w.ConvertedAmount)
	require.Equal(t, money.Cents(40_00), f.balance(t))
	require.True(t, w.OnHold)
	require.Equal(t, []wallet.HoldReason{wallet.NewNumber}, w.HeldReasons)
	require.Equal(t, []catalog.Kind{catalog.WithdrawalHeld}, f.notices(t))

	f.withdrawal(t)
	_, err = f.RequestWithdraw(t.Context(), f.owner, f.order(10_00), nil)
	requireCode(t, fault.Conflict, err)
	for _, column := range []string{"withdrawals_held_at", "withdrawals_stopped_at"} {
		f.exec(t, `update users set `+column+` = now() where id = @id`, postgres.Args{"id": f.owner})
		_, err = f.RequestWithdraw(t.Context(), f.owner, f.order(10_00), nil)
		requireCode(t, fault.Forbidden, err)
		f.exec(t, `update users set `+column+` = null where id = @id`, postgres.Args{"id": f.owner})
	}
}

// For a day after the operator has reset the second factor, withdrawals are held.
func TestRequestWithdraw_after_reset_of_second_factor(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.db.Fund(f.owner, 50_00)
	reset := func(ago time.Duration) {
		f.exec(t, `update users set second_factor_reset_at = @at where id = @id`,
			postgres.Args{"id": f.owner, "at": f.clock.Now().Add(-ago)})
	}
	reset(23 * time.Hour)
	require.Equal(t, []wallet.HoldReason{wallet.NewNumber, wallet.FactorReset}, f.withdrawal(t).HeldReasons)
	reset(24 * time.Hour)
	require.Equal(t, []wallet.HoldReason{wallet.NewNumber}, f.withdrawal(t).HeldReasons)
}

// A held withdrawal can be sent after the hold ends or the owner confirms it, and never after it is
// disowned.
func TestRequestSend(t *testing.T) {
	t.Parallel()
	payout := wallet.Payout{Amount: 10_00}
	for name, tc := range map[string]struct {
		before func(t *testing.T, f fixture, id uuid.UUID)
		code   fault.Code
	}{
		"on hold":     {func(*testing.T, fixture, uuid.UUID) {}, fault.Conflict},
		"after a day": {func(_ *testing.T, f fixture, _ uuid.UUID) { f.clock.Advance(24 * time.Hour) }, ""},
		"confirmed":   {func(t *testing.T, f fixture, id uuid.UUID) { t.Helper(); f.confirm(t, id) }, ""},
		"disowned":    {func(t *testing.T, f fixture, _ uuid.UUID) { t.Helper(); f.disown(t) }, fault.Conflict},
		"of a user who may not withdraw": {func(t *testing.T, f fixture, id uuid.UUID) {
			t.Helper()
			f.confirm(t, id)
			f.exec(t, `update users set withdrawals_held_at = now() where id = @id`, postgres.Args{"id": f.owner})
		}, fault.Conflict},
		"disowned, after a day": {func(t *testing.T, f fixture, _ uuid.UUID) {
			t.Helper()
			f.disown(t)
			f.clock.Advance(25 * time.Hour)
		}, fault.Conflict},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.db.Fund(f.owner, 50_00)
			w := f.withdrawal(t)
			tc.before(t, f, w.ID)
			_, err := f.RequestSend(t.Context(), f.admin, w.ID, payout, nil)
			requireCode(t, tc.code, err)
		})
	}
}

func (f fixture) confirm(t *testing.T, id uuid.UUID) {
	t.Helper()
	require.NoError(t, postgres.WithTx(t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		return f.Confirm(t.Context(), tx, f.owner, id)
	}))
}

func (f fixture) disown(t *testing.T) {
	t.Helper()
	require.NoError(t, postgres.WithTx(t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		return f.Disown(t.Context(), tx, f.owner)
	}))
}

// The owner cannot confirm a disowned withdrawal, but can cancel it and get the money back.
func TestRequestCancel(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.db.Fund(f.owner, 50_00)
	w := f.withdrawal(t)
	f.disown(t)
	requireCode(t, fault.Conflict, postgres.WithTx(t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		return f.Confirm(t.Context(), tx, f.owner, w.ID)
	}))
	_, err := f.RequestCancel(t.Context(), f.admin, w.ID, nil)
	requireCode(t, fault.NotFound, err)
	_, err = f.ClaimWithdrawal(t.Context(), f.admin, w.ID)
	require.NoError(t, err)
	_, err = f.RequestCancel(t.Context(), f.owner, w.ID, nil)
	requireCode(t, fault.Conflict, err)
	f.clock.Advance(15 * time.Minute)
	op, err := f.RequestCancel(t.Context(), f.owner, w.ID, nil)
	require.NoError(t, err)
	f.settle(t, op, func(s *wallet.Settler, tx *postgres.Tx, op operations.Operation) (any, error) {
		return s.SettleCancel(t.Context(), tx, op)
	})
	require.Equal(t, money.Cents(50_00), f.balance(t))
	require.Contains(t, f.notices(t), catalog.WithdrawalCancelled)
	_, err = f.RequestSend(t.Context(), f.admin, w.ID, wallet.Payout{Amount: 10_00}, nil)
	requireCode(t, fault.AlreadyHandled, err)
}
