package wallet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/ledger"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// WithdrawalStatus is the state of a withdrawal (docs/rules.md#withdrawals).
type WithdrawalStatus string

// Statuses of withdrawals. Completed means sent; failed means rejected by an admin or cancelled by
// the owner.
const (
	WithdrawalPending   WithdrawalStatus = "pending"
	WithdrawalCompleted WithdrawalStatus = "completed"
	WithdrawalFailed    WithdrawalStatus = "failed"
)

// Withdrawal is a withdrawal that has been funded: the row is created in the transaction that holds
// its amount.
type Withdrawal struct {
	ID              uuid.UUID
	User            user.Ref
	Email           string
	Amount          money.Cents
	ConvertedAmount money.Poisha
	Rate            int64 // whole taka a dollar, at the time of the request
	PhoneNumber     string
	Method          string
	TransactionID   *string // of the payout
	Status          WithdrawalStatus
	Reason          *string
	RequestedAt     time.Time
	HandledAt       *time.Time
	CancelledAt     *time.Time   // by the owner
	HeldUntil       *time.Time   // nil: it was never held
	HeldReasons     []HoldReason // at the time of the request
	ConfirmedAt     *time.Time   // by the owner, which ends the hold
	DisownedAt      *time.Time   // the owner denies having requested it: nobody begins to send it

	// OnHold says that, when it was read, it was waiting for HeldUntil or the owner's confirmation.
	OnHold    bool
	Operation *operations.Operation // while it is being sent, rejected or cancelled
}

// QueuedWithdrawal is a withdrawal with what an admin needs to handle it.
type QueuedWithdrawal struct {
	Withdrawal
	Claim     *Claim
	HandledBy *user.Ref
	History   History
	Facts     Facts

	// StoppedAt is since when all withdrawals of the user have been on hold or stopped, or the user
	// disabled. nil: they are not.
	StoppedAt *time.Time
	// ClaimedAt is since when the admin of the claim has worked on the withdrawal.
	ClaimedAt *time.Time
}

// Held reports whether all withdrawals of the user are on hold or stopped, or the user is disabled.
func (w QueuedWithdrawal) Held() bool { return w.StoppedAt != nil }

// ClaimedBeforeStop reports whether the withdrawal was disowned or stopped after the admin of its
// claim began to work on it, who may have sent the money by then.
func (w QueuedWithdrawal) ClaimedBeforeStop() bool {
	if w.Claim == nil || w.ClaimedAt == nil || w.DisownedAt == nil && w.StoppedAt == nil {
		return false
	}
	for _, at := range []*time.Time{w.DisownedAt, w.StoppedAt} {
		if at != nil && !w.ClaimedAt.Before(*at) {
			return false
		}
	}
	return true
}

// Order is what a user requests to withdraw.
type Order struct {
	Amount      money.Cents // 0: not given
	PhoneNumber string
	Method      string
	Taka        *money.Poisha // amount that the user was shown; nil: not given
	NewBrowser  bool          // first signed in less than a day ago
}

var phoneNumber = regexp.MustCompile(`^01[0-9]{9}$`)

// validate checks the rules of docs/rules.md#withdrawals in order.
func (o Order) validate() error {
	switch {
	case o.Amount == 0:
		return fault.Field("amount", "fields_missing", textAllFields)
	case o.PhoneNumber == "":
		return fault.Field("phonenumber", "fields_missing", textAllFields)
	case o.Method == "":
		return fault.Field("paymentMethod", "fields_missing", textAllFields)
	case !phoneNumber.MatchString(o.PhoneNumber):
		return fault.Field("phonenumber", "phone_malformed", textPhoneNumber)
	case o.Amount < 0:
		return fault.Field("amount", "amount_invalid", textEnterValid)
	case o.Amount > maxAmount:
		return fault.Field("amount", "amount_too_large", textMaximum)
	case !validMethod(o.Method):
		return fault.Field("paymentMethod", "method_unknown", textMethod)
	}
	return nil
}

// checkTaka returns RateChanged if the user was shown an amount in taka other than the converted
// one.
func (o Order) checkTaka(rate money.Rate) error {
	converted, err := money.Convert(o.Amount, rate.FloorTaka())
	if err == nil && o.Taka != nil && *o.Taka != converted {
		err = errRateChanged()
	}
	return err
}

type orderParams struct {
	Amount      money.Cents `json:"amount"`
	PhoneNumber string      `json:"phoneNumber"`
	Method      string      `json:"method"`
	Rate        int64       `json:"rate"`
	NewBrowser  bool        `json:"newBrowser"`
}

// RequestWithdraw requests to hold the amount and queue the withdrawal for the admins. Codes:
// Invalid with the first rule that fails, InsufficientBalance with the shortfall, Forbidden while
// withdrawals of the user are held or stopped, Conflict while too many of them are pending and if
// the user would exceed a limit, RateChanged if order.Taka is not what the amount converts to,
// Unavailable without an exchange rate.
func (s *Service) RequestWithdraw(ctx context.Context, userID uuid.UUID, order Order, key *idempotency.Key) (operations.Operation, error) {
	if err := order.validate(); err != nil {
		return operations.Operation{}, err
	}
	rate, err := s.Rate(ctx)
	if err != nil {
		return operations.Operation{}, err
	}
	opID, err := uuid.NewV7()
	if err != nil {
		return operations.Operation{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return operations.Operation{}, err
	}
	r := operations.Request{
		ID: opID, Kind: jobs.KindWithdrawalHold, Subject: operations.Withdrawal(id), Actor: actor.User(userID), Key: key,
		Params: orderParams{order.Amount, order.PhoneNumber, order.Method, rate.FloorTaka(), order.NewBrowser},
	}
	return s.Operations.Request(ctx, r, func(ctx context.Context, tx *postgres.Tx) error {
		if err := order.checkTaka(rate); err != nil {
			return err
		}
		if err := checkMayWithdraw(ctx, tx, userID); err != nil {
			return err
		}
		if err := s.Bounds.checkPendingWithdrawals(ctx, tx, userID); err != nil {
			return err
		}
		balance, err := ledger.WalletBalance(ctx, tx, userID)
		if err == nil && balance < order.Amount {
			err = errInsufficient(int64(order.Amount - balance))
		}
		if err == nil {
			err = s.Bounds.checkAmount(order.Amount, balance-order.Amount)
		}
		if err != nil {
			return err
		}
		return s.Limits.CheckWithdrawal(ctx, tx, userID, id, order.Amount)
	})
}

func checkMayWithdraw(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) error {
	held, stopped, err := withdrawalsHeld(ctx, tx, userID)
	switch {
	case err != nil:
		return err
	case held:
		return fault.New(fault.Forbidden, "withdrawals_on_hold", "Withdrawals from this account are on hold. Please contact support.")
	case stopped:
		return fault.New(fault.Forbidden, "withdrawals_stopped",
			"Withdrawals are stopped until you reset your password with a link that we mail you.")
	}
	return nil
}

func errInsufficient(shortfall int64) *fault.Error {
	refusal := fault.New(fault.InsufficientBalance, "balance_too_low_to_withdraw", "Insufficient balance to withdraw")
	refusal.Shortfall = shortfall
	return refusal
}

// SettleHold moves the amount from the wallet to the withdrawal's hold account and creates the
// withdrawal. If it refuses, it returns a *fault.Error and changes nothing.
func (s *Settler) SettleHold(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
	var p orderParams
	if err := json.Unmarshal(op.Params, &p); err != nil {
		return nil, fmt.Errorf("params: %w", err)
	}
	userID, err := op.UserID()
	if err != nil {
		return nil, err
	}
	id, err := op.SubjectID()
	if err != nil {
		return nil, err
	}
	// Serializes with Disown: either Disown sees this withdrawal, or this sees that the user's
	// withdrawals are stopped.
	if err := lockWithdrawalsOf(ctx, tx, userID); err != nil {
		return nil, err
	}
	if err := checkMayWithdraw(ctx, tx, userID); err != nil {
		return nil, err
	}
	if err := checkRate(ctx, tx, p.Rate, false, s.Clock.Now()); err != nil {
		return nil, err
	}
	converted, err := money.Convert(p.Amount, p.Rate)
	if err != nil {
		return nil, err
	}
	err = ledger.Post(ctx, tx, ledger.Transfer{
		Key:   ledger.WithdrawalHold.Key(id),
		Kind:  op.Kind,
		Legs:  []ledger.Leg{ledger.Move(ledger.Wallet(userID), ledger.Hold(id), p.Amount)},
		Actor: op.Actor,
		At:    s.Clock.Now(),
	})
	var insufficient *ledger.InsufficientError
	if errors.As(err, &insufficient) {
		return nil, errInsufficient(int64(insufficient.Shortfall))
	}
	if err != nil {
		return nil, err
	}
	left, err := ledger.WalletBalance(ctx, tx, userID)
	if err == nil {
		err = s.Bounds.checkAmount(p.Amount, left)
	}
	if err != nil {
		return nil, err
	}
	// The posting has locked the wallet, so the second of two concurrent withdrawals counts the
	// first.
	if err := s.Bounds.checkPendingWithdrawals(ctx, tx, userID); err != nil {
		return nil, err
	}
	now := s.Clock.Now()
	hold, err := s.Bounds.hold(ctx, tx, userID, p, now)
	if err != nil {
		return nil, err
	}
	if err := insertWithdrawal(ctx, tx, id, userID, p, converted, hold, now); err != nil {
		return nil, err
	}
	return operations.Result{Outcome: OutcomeWithdrawalSubmitted}, s.recordHold(ctx, tx, id, userID)
}

func (s *Service) recordHold(ctx context.Context, tx *postgres.Tx, id, userID uuid.UUID) error {
	w, err := getWithdrawal(ctx, tx, id)
	if err != nil {
		return err
	}
	s.Events.WalletUpdated(tx, userID)
	s.Events.QueueChanged(tx, realtime.QueueWithdrawals, id)
	if err := s.notifyCreated(ctx, tx, w); err != nil {
		return err
	}
	return s.notifyAdmins(ctx, tx, w.User, jobs.AdminNotice{
		NoticeKind: string(catalog.AdminWithdrawal),
		Params: catalog.Params{
			"username": w.User.Username, "amount": w.Amount.String(), "method": w.Method, "phone": w.PhoneNumber,
		},
		SubjectID: id,
		Link:      "/admin/withdrawal",
	})
}

// ListWithdrawals returns a user's own withdrawals, newest first, and the total number: those with
// the status, or all if status is "".
func (s *Service) ListWithdrawals(
	ctx context.Context, userID uuid.UUID, status WithdrawalStatus, page postgres.Page,
) ([]Withdrawal, int, error) {
	queued, total, err := s.withdrawalPage(ctx, withdrawalFilter{userID: &userID, status: status}, page)
	list := make([]Withdrawal, len(queued))
	for i, w := range queued {
		list[i] = w.Withdrawal
	}
	return list, total, err
}
