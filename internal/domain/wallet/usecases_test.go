package wallet_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/notifications"
	"amanat/internal/domain/wallet"
	"amanat/internal/money"
	"amanat/internal/money/ledger"
	"amanat/internal/money/operations"
	"amanat/internal/platform/actor"
	"amanat/internal/platform/catalog"
	"amanat/internal/platform/clock"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
	"amanat/internal/queue/jobs"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
)

// bench is the service on the api's login, and what settles on the workers', with no worker that runs.
type bench struct {
	*wallet.Service
	settler    *wallet.Settler
	operations *operations.Service // of the workers' login
	db         *dbtest.DB
	clock      *clock.Offset
	owner      uuid.UUID
	admin      uuid.UUID
	second     uuid.UUID
}

// silent stands for Redis: the log in the database is what counts.
type silent struct{}

func (silent) PublishFrame(uuid.UUID, realtime.Frame) {}
func (silent) PublishAdmins(realtime.Frame)           {}
func (silent) OperationSettled(uuid.UUID)             {}

// newBench has a rate of 122.40 and lets one admin credit up to a thousand dollars.
func newBench(t *testing.T) bench {
	t.Helper()
	db := dbtest.New(t)
	now := clock.NewOffset(0)
	events := &realtime.Log{Clock: now, Publish: silent{}}
	service := func(pool postgres.DB) *wallet.Service {
		inserter, err := jobs.NewInserter(db.API(), slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		return &wallet.Service{
			DB: pool, Clock: now, Events: events, Jobs: inserter,
			Operations: &operations.Service{DB: pool, Clock: now, Enqueuer: inserter, Events: events, Announce: silent{}},
			Notices:    &notifications.Service{DB: pool, Clock: now, Events: events, Enqueuer: inserter},
			Bounds:     wallet.Bounds{Hold: 24 * time.Hour, Minimum: 1_00, MaxPending: 2}, SecondAdminAbove: 1000_00,
		}
	}
	worker := service(db.Worker())
	b := bench{
		Service: service(db.API()), operations: worker.Operations, db: db, clock: now,
		settler: &wallet.Settler{Service: worker, DepositClaimTTL: 72 * time.Hour},
	}
	b.owner, b.admin, b.second = b.user(t, "rahim"), b.user(t, "boss"), b.user(t, "chief")
	b.exec(t, `update users set is_admin = true where id in (@admin, @second)`, pgx.NamedArgs{"admin": b.admin, "second": b.second})
	require.NoError(t, b.SetRate(t.Context(), actor.Operator(), 122_40, false))
	return b
}

func (b bench) exec(t *testing.T, sql string, args pgx.NamedArgs) {
	t.Helper()
	_, err := b.db.Owner().Exec(t.Context(), sql, args)
	require.NoError(t, err)
}

func (b bench) user(t *testing.T, name string) uuid.UUID {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	b.exec(t, `
		insert into users (id, username, email, password_hash, is_verified, referral_code, terms_accepted_at, created_at)
		values (@id, @name, @name || '@example.com', '', true, @name, now(), now())`, pgx.NamedArgs{"id": id, "name": name})
	return id
}

func (b bench) report(t *testing.T, userID uuid.UUID, transaction string, amount money.Cents) wallet.Deposit {
	t.Helper()
	d, err := b.ReportDeposit(t.Context(), userID, wallet.Report{Amount: amount, TransactionID: transaction, Method: wallet.Bkash}, nil)
	require.NoError(t, err)
	return d
}

func (b bench) order(amount money.Cents) wallet.Order {
	return wallet.Order{Amount: amount, PhoneNumber: "01712345678", Method: wallet.Bkash}
}

// settle does what a worker does with an operation that must succeed.
func (b bench) settle(
	t *testing.T, op operations.Operation, how func(*wallet.Settler, *postgres.Tx, operations.Operation) (any, error),
) {
	t.Helper()
	require.NoError(t, postgres.WithTx(t.Context(), b.db.Worker(), func(tx *postgres.Tx) error {
		locked, err := b.operations.Lock(t.Context(), tx, op.ID)
		if err != nil {
			return err
		}
		result, err := how(b.settler, tx, locked)
		if err != nil {
			return err
		}
		return b.operations.Finish(t.Context(), tx, locked, result)
	}))
}

// withdrawal makes one of ten dollars, which is held since the number is new.
func (b bench) withdrawal(t *testing.T) wallet.QueuedWithdrawal {
	t.Helper()
	op, err := b.RequestWithdraw(t.Context(), b.owner, b.order(10_00), nil)
	require.NoError(t, err)
	b.settle(t, op, func(s *wallet.Settler, tx *postgres.Tx, op operations.Operation) (any, error) {
		return s.SettleHold(t.Context(), tx, op)
	})
	id, err := op.SubjectID()
	require.NoError(t, err)
	w, err := b.GetWithdrawal(t.Context(), id)
	require.NoError(t, err)
	return w
}

func (b bench) balance(t *testing.T) money.Cents {
	t.Helper()
	cents, err := ledger.WalletBalance(t.Context(), b.db.API(), b.owner)
	require.NoError(t, err)
	return cents
}

func (b bench) told(t *testing.T) []catalog.Kind {
	t.Helper()
	kinds, err := postgres.Values[catalog.Kind](t.Context(), b.db.Owner(), "test.told",
		`select kind from notifications where user_id = @user order by id`, pgx.NamedArgs{"user": b.owner})
	require.NoError(t, err)
	return kinds
}

func requireCode(t *testing.T, code fault.Code, err error) {
	t.Helper()
	require.Equal(t, code, fault.CodeOf(err), "%v", err)
}

func TestSetRate(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	requireCode(t, fault.Invalid, b.SetRate(t.Context(), actor.User(b.admin), 134_65, false))
	require.NoError(t, b.SetRate(t.Context(), actor.User(b.admin), 134_64, false), "a tenth")
	require.NoError(t, b.SetRate(t.Context(), actor.User(b.admin), 100_00, true))
	rate, err := b.Rate(t.Context())
	require.NoError(t, err)
	require.Equal(t, money.Rate(100_00), rate)
	history, total, err := b.Rates(t.Context(), postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 3, total)
	require.Equal(t, b.admin, history[0].By.ID)
	require.Nil(t, history[2].By, "the operator")
}

func TestReportDeposit(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	other := b.user(t, "karim")
	d := b.report(t, b.owner, "8n7a6d5e4f", 50_00)
	require.Equal(t, "8N7A6D5E4F", d.TransactionID)
	require.EqualValues(t, 123, d.Rate, "rounded up")
	require.Equal(t, money.Poisha(6_150_00), d.ConvertedAmount)
	require.Equal(t, wallet.DepositPending, d.Status)
	require.Zero(t, b.balance(t), "nothing moves before an admin approves it")

	report := wallet.Report{Amount: 50_00, TransactionID: "8N7A6D5E4F", Method: wallet.Bkash}
	_, err := b.ReportDeposit(t.Context(), b.owner, report, nil)
	requireCode(t, fault.Duplicate, err)
	report.TransactionID, report.Taka = "8N7A6D5E4G", new(money.Poisha(6_120_00))
	_, err = b.ReportDeposit(t.Context(), b.owner, report, nil)
	requireCode(t, fault.RateChanged, err)
	report.Taka, report.MaxPending = nil, 1
	_, err = b.ReportDeposit(t.Context(), b.owner, report, nil)
	requireCode(t, fault.Conflict, err)

	require.True(t, b.report(t, other, "8N7A6D5E4F", 50_00).Disputed)
	first, err := b.GetDeposit(t.Context(), d.ID)
	require.NoError(t, err)
	require.True(t, first.Disputed, "both are")
	require.Len(t, first.Rivals, 1)
}

func TestApprove(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.report(t, b.owner, "8N7A6D5E4F", 50_00)
	approval := wallet.Approval{Amount: 50_00, UserID: b.owner}
	approved, err := b.Approve(t.Context(), b.admin, d.ID, approval, nil)
	require.NoError(t, err)
	require.False(t, approved.Proposed)
	require.Zero(t, b.balance(t), "only a worker moves money")
	_, err = b.RejectDeposit(t.Context(), b.admin, d.ID, "")
	requireCode(t, fault.Conflict, err)
	b.settle(t, approved.Operation, func(s *wallet.Settler, tx *postgres.Tx, op operations.Operation) (any, error) {
		return s.SettleApprove(t.Context(), tx, op)
	})
	require.Equal(t, money.Cents(50_00), b.balance(t))
	require.Equal(t, []catalog.Kind{catalog.DepositApproved}, b.told(t))
	_, err = b.Approve(t.Context(), b.second, d.ID, approval, nil)
	requireCode(t, fault.AlreadyHandled, err)
}

func TestApprove_second_admin(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.report(t, b.owner, "8N7A6D5E4F", 1000_01)
	_, err := b.ConfirmCredit(t.Context(), b.second, d.ID, 1000_01, nil)
	requireCode(t, fault.Conflict, err)
	approved, err := b.Approve(t.Context(), b.admin, d.ID, wallet.Approval{Amount: 1000_01, UserID: b.owner}, nil)
	require.NoError(t, err)
	require.True(t, approved.Proposed)
	_, err = b.ConfirmCredit(t.Context(), b.admin, d.ID, 1000_01, nil)
	requireCode(t, fault.Forbidden, err)
	_, err = b.ConfirmCredit(t.Context(), b.second, d.ID, 1000_02, nil)
	requireCode(t, fault.Invalid, err)
	op, err := b.ConfirmCredit(t.Context(), b.second, d.ID, 1000_01, nil)
	require.NoError(t, err)
	b.settle(t, op, func(s *wallet.Settler, tx *postgres.Tx, op operations.Operation) (any, error) {
		return s.SettleApprove(t.Context(), tx, op)
	})
	require.Equal(t, money.Cents(1000_01), b.balance(t))
}

// Whoever proposed a credit and is no admin any more does not count.
func TestConfirmCredit_proposer_gone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.report(t, b.owner, "8N7A6D5E4F", 1000_01)
	_, err := b.Approve(t.Context(), b.admin, d.ID, wallet.Approval{Amount: 1000_01, UserID: b.owner}, nil)
	require.NoError(t, err)
	b.exec(t, `update users set is_admin = false where id = @id`, pgx.NamedArgs{"id": b.admin})
	_, err = b.ConfirmCredit(t.Context(), b.second, d.ID, 1000_01, nil)
	requireCode(t, fault.Conflict, err)
}

func TestClaimDeposit(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.report(t, b.owner, "8N7A6D5E4F", 50_00)
	_, err := b.ClaimDeposit(t.Context(), b.admin, d.ID)
	require.NoError(t, err)
	_, err = b.ClaimDeposit(t.Context(), b.second, d.ID)
	requireCode(t, fault.AlreadyHandled, err)
	b.clock.Advance(5 * time.Minute)
	_, err = b.ClaimDeposit(t.Context(), b.second, d.ID)
	require.NoError(t, err, "the claim has run out")
}

func TestRejectDeposit(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.report(t, b.owner, "8N7A6D5E4F", 50_00)
	rejected, err := b.RejectDeposit(t.Context(), b.admin, d.ID, " Not on the statement ")
	require.NoError(t, err)
	require.Equal(t, wallet.DepositFailed, rejected.Status)
	require.Equal(t, "Not on the statement", *rejected.Reason)
	require.False(t, rejected.Expired())
	require.Equal(t, []catalog.Kind{catalog.DepositRejected}, b.told(t))
}

func TestExpireDeposits(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.report(t, b.owner, "8N7A6D5E4F", 50_00)
	b.clock.Advance(71 * time.Hour)
	n, err := b.settler.ExpireDeposits(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
	b.clock.Advance(2 * time.Hour)
	n, err = b.settler.ExpireDeposits(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	expired, err := b.GetDeposit(t.Context(), d.ID)
	require.NoError(t, err)
	require.True(t, expired.Expired())
	require.Equal(t, []catalog.Kind{catalog.DepositExpired}, b.told(t))
}

func TestRequestWithdraw(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, err := b.RequestWithdraw(t.Context(), b.owner, b.order(10_00), nil)
	requireCode(t, fault.InsufficientBalance, err)
	require.EqualValues(t, 10_00, fault.As(err).Shortfall)
	b.db.Fund(b.owner, 50_00)
	order := b.order(10_00)
	order.Taka = new(money.Poisha(1_230_00))
	_, err = b.RequestWithdraw(t.Context(), b.owner, order, nil)
	requireCode(t, fault.RateChanged, err)

	w := b.withdrawal(t)
	require.EqualValues(t, 122, w.Rate, "rounded down")
	require.Equal(t, money.Poisha(1_220_00), w.ConvertedAmount)
	require.Equal(t, money.Cents(40_00), b.balance(t))
	require.True(t, w.OnHold)
	require.Equal(t, []wallet.HoldReason{wallet.NewNumber}, w.HeldReasons)
	require.Equal(t, []catalog.Kind{catalog.WithdrawalHeld}, b.told(t))

	b.withdrawal(t)
	_, err = b.RequestWithdraw(t.Context(), b.owner, b.order(10_00), nil)
	requireCode(t, fault.Conflict, err)
	for _, column := range []string{"withdrawals_held_at", "withdrawals_stopped_at"} {
		b.exec(t, `update users set `+column+` = now() where id = @id`, pgx.NamedArgs{"id": b.owner})
		_, err = b.RequestWithdraw(t.Context(), b.owner, b.order(10_00), nil)
		requireCode(t, fault.Forbidden, err)
		b.exec(t, `update users set `+column+` = null where id = @id`, pgx.NamedArgs{"id": b.owner})
	}
}

// What is held is sent once its time has come or its owner has confirmed it, and never once it is disowned.
func TestRequestSend(t *testing.T) {
	t.Parallel()
	payout := wallet.Payout{Amount: 10_00}
	for name, tc := range map[string]struct {
		before func(t *testing.T, b bench, id uuid.UUID)
		code   fault.Code
	}{
		"on hold":     {func(*testing.T, bench, uuid.UUID) {}, fault.Conflict},
		"after a day": {func(_ *testing.T, b bench, _ uuid.UUID) { b.clock.Advance(24 * time.Hour) }, ""},
		"confirmed":   {func(t *testing.T, b bench, id uuid.UUID) { t.Helper(); b.confirm(t, id) }, ""},
		"disowned":    {func(t *testing.T, b bench, _ uuid.UUID) { t.Helper(); b.disown(t) }, fault.Conflict},
		"of a user who may not withdraw": {func(t *testing.T, b bench, id uuid.UUID) {
			t.Helper()
			b.confirm(t, id)
			b.exec(t, `update users set withdrawals_held_at = now() where id = @id`, pgx.NamedArgs{"id": b.owner})
		}, fault.Conflict},
		"disowned, after a day": {func(t *testing.T, b bench, _ uuid.UUID) {
			t.Helper()
			b.disown(t)
			b.clock.Advance(25 * time.Hour)
		}, fault.Conflict},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.db.Fund(b.owner, 50_00)
			w := b.withdrawal(t)
			tc.before(t, b, w.ID)
			_, err := b.RequestSend(t.Context(), b.admin, w.ID, payout, nil)
			requireCode(t, tc.code, err)
		})
	}
}

func (b bench) confirm(t *testing.T, id uuid.UUID) {
	t.Helper()
	require.NoError(t, postgres.WithTx(t.Context(), b.db.API(), func(tx *postgres.Tx) error {
		return b.Confirm(t.Context(), tx, b.owner, id)
	}))
}

func (b bench) disown(t *testing.T) {
	t.Helper()
	require.NoError(t, postgres.WithTx(t.Context(), b.db.API(), func(tx *postgres.Tx) error {
		return b.Disown(t.Context(), tx, b.owner)
	}))
}

// An owner who has disowned a withdrawal cannot confirm it, but gets the money back.
func TestRequestCancel(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.db.Fund(b.owner, 50_00)
	w := b.withdrawal(t)
	b.disown(t)
	requireCode(t, fault.Conflict, postgres.WithTx(t.Context(), b.db.API(), func(tx *postgres.Tx) error {
		return b.Confirm(t.Context(), tx, b.owner, w.ID)
	}))
	_, err := b.RequestCancel(t.Context(), b.admin, w.ID, nil)
	requireCode(t, fault.NotFound, err)
	_, err = b.ClaimWithdrawal(t.Context(), b.admin, w.ID)
	require.NoError(t, err)
	_, err = b.RequestCancel(t.Context(), b.owner, w.ID, nil)
	requireCode(t, fault.Conflict, err)
	b.clock.Advance(5 * time.Minute)
	op, err := b.RequestCancel(t.Context(), b.owner, w.ID, nil)
	require.NoError(t, err)
	b.settle(t, op, func(s *wallet.Settler, tx *postgres.Tx, op operations.Operation) (any, error) {
		return s.SettleCancel(t.Context(), tx, op)
	})
	require.Equal(t, money.Cents(50_00), b.balance(t))
}
