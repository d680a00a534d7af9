package wallet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/google/uuid"

	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/ledger"
	"amanat/internal/money/operations"
	"amanat/internal/platform/actor"
	"amanat/internal/platform/catalog"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
	"amanat/internal/platform/user"
	"amanat/internal/queue/jobs"
	"amanat/internal/realtime"
)

// WithdrawalStatus is the state of a withdrawal (docs/rules.md#withdrawals).
type WithdrawalStatus string

// Statuses of withdrawals. Completed is sent, failed is rejected by an admin or cancelled by the owner.
const (
	WithdrawalPending   WithdrawalStatus = "pending"
	WithdrawalCompleted WithdrawalStatus = "completed"
	WithdrawalFailed    WithdrawalStatus = "failed"
)

// Withdrawal is money on its way out. There is one only when its amount is held: a visible withdrawal is funded.
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
	CancelledAt     *time.Time            // by the owner
	HeldUntil       *time.Time            // nil: it was never held
	HeldReasons     []HoldReason          // what was new when it was asked for
	ConfirmedAt     *time.Time            // by the owner, which ends the hold
	DisownedAt      *time.Time            // the owner says that somebody else asked for it: it is never sent
	OnHold          bool                  // when it was read: it waits for HeldUntil or its owner's confirmation
	Operation       *operations.Operation // while it is being sent, rejected or cancelled
}

// QueuedWithdrawal is a withdrawal with what an admin needs to handle it.
type QueuedWithdrawal struct {
	Withdrawal
	Claim     *Claim
	HandledBy *user.Ref
	History   History
	Held      bool // all withdrawals of the user are on hold or stopped, or the user is disabled: it can only be rejected
	Facts     Facts
}

// Order is what a user asks to withdraw.
type Order struct {
	Amount      money.Cents // 0: not given
	PhoneNumber string
	Method      string
	Taka        *money.Poisha // as the user was shown it; nil: not told
	NewBrowser  bool          // the user has signed in with the browser for less than a day
}

var phoneNumber = regexp.MustCompile(`^01[0-9]{9}$`)

// validate checks the rules of docs/rules.md#withdrawals in their order, and then the bounds of this site.
func (o Order) validate(bounds Bounds) error {
	switch {
	case o.Amount == 0:
		return fault.Field("amount", textAllFields)
	case o.PhoneNumber == "":
		return fault.Field("phonenumber", textAllFields)
	case o.Method == "":
		return fault.Field("paymentMethod", textAllFields)
	case !phoneNumber.MatchString(o.PhoneNumber):
		return fault.Field("phonenumber", "Phone number must start with '01' and be 11 digits.")
	case o.Amount < 0:
		return fault.Field("amount", textEnterValid)
	case o.Amount > maxAmount:
		return fault.Field("amount", textMaximum)
	case !validMethod(o.Method):
		return fault.Field("paymentMethod", textMethod)
	}
	return bounds.checkAmount(o.Amount)
}

// checkTaka refuses an order whose user was shown another sum than the rate makes of it: RateChanged.
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

// RequestWithdraw asks to hold the amount and put the withdrawal in the admins' queue. Codes: Invalid with the first rule that fails,
// InsufficientBalance with the shortfall, Forbidden while withdrawals of the user are held or stopped, Conflict while too many of them are
// pending, RateChanged when order.Taka is not what the amount comes to, Unavailable without an exchange rate.
func (s *Service) RequestWithdraw(ctx context.Context, userID uuid.UUID, order Order, key *idempotency.Key) (operations.Operation, error) {
	if err := order.validate(s.Bounds); err != nil {
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
		if err := mayWithdraw(ctx, tx, userID); err != nil {
			return err
		}
		if err := s.Bounds.checkPendingWithdrawals(ctx, tx, userID); err != nil {
			return err
		}
		balance, err := ledger.WalletBalance(ctx, tx, userID)
		if err == nil && balance < order.Amount {
			err = errInsufficient(int64(order.Amount - balance))
		}
		return err
	})
}

func mayWithdraw(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) error {
	held, stopped, err := withdrawalsHeld(ctx, tx, userID)
	switch {
	case err != nil:
		return err
	case held:
		return fault.New(fault.Forbidden, "Withdrawals from this account are on hold. Please contact support.")
	case stopped:
		return fault.New(fault.Forbidden, "Withdrawals are stopped until you reset your password with a link that we mail you.")
	}
	return nil
}

func errInsufficient(shortfall int64) *fault.Error {
	refusal := fault.New(fault.InsufficientBalance, "Insufficient balance to withdraw")
	refusal.Shortfall = shortfall
	return refusal
}

// SettleHold moves the amount from the wallet to the withdrawal's hold and makes the withdrawal, or refuses with a *fault.Error and has
// changed nothing.
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
	// Whoever disowns the user's withdrawals at this moment finds this one, or this finds them stopped.
	if err := lockWithdrawalsOf(ctx, tx, userID); err != nil {
		return nil, err
	}
	if err := mayWithdraw(ctx, tx, userID); err != nil {
		return nil, err
	}
	if err := s.Bounds.checkAmount(p.Amount); err != nil {
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
	// The posting has locked the wallet: of two at once the second counts the first.
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
	return operations.Result{Message: MessageWithdrawalSubmitted}, s.recordHold(ctx, tx, id, userID)
}

func (s *Service) recordHold(ctx context.Context, tx *postgres.Tx, id, userID uuid.UUID) error {
	w, err := getWithdrawal(ctx, tx, id)
	if err != nil {
		return err
	}
	s.Events.WalletUpdated(tx, userID)
	s.Events.QueueChanged(tx, realtime.QueueWithdrawals, id)
	if err := s.tellOwner(ctx, tx, w); err != nil {
		return err
	}
	return s.tellAdmins(ctx, tx, w.User, jobs.AdminNotice{
		NoticeKind: string(catalog.AdminWithdrawal),
		Params: catalog.Params{
			"username": w.User.Username, "amount": w.Amount.String(), "method": w.Method, "phone": w.PhoneNumber,
		},
		SubjectID: id,
		Link:      "/admin/withdrawal",
	})
}

// ListWithdrawals returns a user's own withdrawals, newest first, and how many there are in all: those of a status, or all when it is empty.
func (s *Service) ListWithdrawals(ctx context.Context, userID uuid.UUID, status WithdrawalStatus, page postgres.Page) ([]Withdrawal, int, error) {
	queued, total, err := s.withdrawalPage(ctx, withdrawalFilter{userID: &userID, status: status}, page)
	list := make([]Withdrawal, len(queued))
	for i, w := range queued {
		list[i] = w.Withdrawal
	}
	return list, total, err
}
