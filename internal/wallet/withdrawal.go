package wallet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/google/uuid"

	"amanat/internal/fault"
	"amanat/internal/ledger"
	"amanat/internal/money"
	"amanat/internal/operations"
	"amanat/internal/party"
	"amanat/internal/postgres"
	"amanat/internal/realtime"
	"amanat/internal/texts"
	"amanat/queue/jobs"
)

// WithdrawalStatus is the state of a withdrawal, in SPEC §4's words.
type WithdrawalStatus string

// Statuses of withdrawals. Completed is sent, failed is rejected.
const (
	WithdrawalPending   WithdrawalStatus = "pending"
	WithdrawalCompleted WithdrawalStatus = "completed"
	WithdrawalFailed    WithdrawalStatus = "failed"
)

// Withdrawal is money on its way out. There is one only when its amount is held: a visible withdrawal is funded.
type Withdrawal struct {
	ID              uuid.UUID
	User            party.Party
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
	Operation       *operations.Operation // while it is being sent or rejected
}

// QueuedWithdrawal is a withdrawal with what an admin needs to handle it.
type QueuedWithdrawal struct {
	Withdrawal
	Claim     *Claim
	HandledBy *party.Party
	History   History
	Held      bool // the user's withdrawals are on hold, or he is disabled: it can only be rejected
}

// Order is what a user asks to withdraw.
type Order struct {
	Amount      money.Cents // 0: not given
	PhoneNumber string
	Method      string
}

var phoneNumber = regexp.MustCompile(`^01[0-9]{9}$`)

// validate applies SPEC §5 "Withdraw" in its order.
func (o Order) validate() error {
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
	return nil
}

type orderParams struct {
	Amount      money.Cents `json:"amount"`
	PhoneNumber string      `json:"phoneNumber"`
	Method      string      `json:"method"`
	Rate        int64       `json:"rate"`
}

// RequestWithdraw asks to hold the amount and put the withdrawal in the admins' queue. Codes: Invalid with SPEC §5's texts,
// InsufficientBalance with the shortfall, Forbidden while withdrawals of the user are held, Unavailable without an exchange rate.
func (s *Service) RequestWithdraw(ctx context.Context, userID uuid.UUID, order Order, key *operations.Key) (operations.Operation, error) {
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
		ID: opID, Kind: jobs.KindWithdrawalHold, Subject: operations.Withdrawal(id), ActorID: userID, Key: key,
		Params: orderParams{order.Amount, order.PhoneNumber, order.Method, rate.FloorTaka()},
	}
	return s.Operations.Request(ctx, r, func(ctx context.Context, tx *postgres.Tx) error {
		if err := mayWithdraw(ctx, tx, userID); err != nil {
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
	held, err := withdrawalsHeld(ctx, tx, userID)
	if err == nil && held {
		err = fault.New(fault.Forbidden, "Withdrawals from this account are on hold. Please contact support.")
	}
	return err
}

func errInsufficient(shortfall int64) *fault.Error {
	refusal := fault.New(fault.InsufficientBalance, "Insufficient balance to withdraw")
	refusal.Shortfall = shortfall
	return refusal
}

// SettleHold moves the amount from the wallet to the withdrawal's hold and makes the withdrawal, or refuses with a *fault.Error and has
// changed nothing.
func (s *Service) SettleHold(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
	var p orderParams
	if err := json.Unmarshal(op.Params, &p); err != nil {
		return nil, fmt.Errorf("params: %w", err)
	}
	id, err := op.SubjectID()
	if err != nil {
		return nil, err
	}
	if err := mayWithdraw(ctx, tx, op.ActorID); err != nil {
		return nil, err
	}
	converted, err := money.Convert(p.Amount, p.Rate)
	if err != nil {
		return nil, err
	}
	err = ledger.Post(ctx, tx, ledger.Transfer{
		Key:   "withdrawal:" + id.String() + ":hold",
		Kind:  op.Kind,
		Legs:  []ledger.Leg{ledger.Move(ledger.Wallet(op.ActorID), ledger.Hold(id), p.Amount)},
		Actor: op.ActorID,
		At:    s.Clock.Now(),
	})
	var insufficient *ledger.InsufficientError
	if errors.As(err, &insufficient) {
		return nil, errInsufficient(int64(insufficient.Shortfall))
	}
	if err != nil {
		return nil, err
	}
	if err := insertWithdrawal(ctx, tx, id, op.ActorID, p, converted, s.Clock.Now()); err != nil {
		return nil, err
	}
	return Result{MessageWithdrawalSubmitted}, s.recordHold(ctx, tx, id, op.ActorID)
}

func (s *Service) recordHold(ctx context.Context, tx *postgres.Tx, id, userID uuid.UUID) error {
	w, err := getWithdrawal(ctx, tx, id)
	if err != nil {
		return err
	}
	s.Events.WalletUpdated(tx, userID)
	s.Events.Admins(tx, realtime.QueueWithdrawals, id)
	return s.tellAdmins(ctx, tx, w.User, jobs.AdminNotice{
		NoticeKind: string(texts.AdminWithdrawal),
		Params: texts.Params{
			"username": w.User.Username, "amount": w.Amount.String(), "method": w.Method, "phone": w.PhoneNumber,
		},
		SubjectID: id,
		Link:      "/admin/withdrawal",
	})
}

// ListWithdrawals returns a user's own withdrawals, newest first, and how many there are in all.
func (s *Service) ListWithdrawals(ctx context.Context, userID uuid.UUID, page Page) ([]Withdrawal, int, error) {
	queued, total, err := s.withdrawalPage(ctx, withdrawalFilter{userID: userID}, page)
	list := make([]Withdrawal, len(queued))
	for i, w := range queued {
		list[i] = w.Withdrawal
	}
	return list, total, err
}
