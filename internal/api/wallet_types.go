package api

import (
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"amanat/internal/app/user"
	"amanat/internal/domain/wallet"
	"amanat/internal/money"
	"amanat/internal/money/operations"
)

// Customer is a user as shown in their own requests and to admins.
type Customer struct {
	user.Ref
	Email string `json:"email" example:"rahim@example.com"`
}

// Deposit is a payment reported by a user.
type Deposit struct {
	ID              uuid.UUID        `json:"_id"`
	User            Customer         `json:"user"`
	Amount          money.Cents      `json:"amount" doc:"USD: as the user says, and once approved as credited." example:"500"`
	ClaimedAmount   money.Cents      `json:"claimedAmount" doc:"USD as the user says." example:"500"`
	ConvertedAmount money.Poisha     `json:"convertedAmount" example:"60500"`
	Rate            int64            `json:"rate" doc:"Whole taka a dollar." example:"121"`
	TransactionID   string           `json:"transactionId" example:"AB12CD34EF"`
	PaymentMethod   string           `json:"paymentMethod" enum:"Bkash,Nagad"`
	ActionType      string           `json:"actionType" enum:"deposit"`
	Status          string           `json:"status" enum:"pending,completed,Failed"`
	Reason          *string          `json:"reason" doc:"In the admin's own words."`
	ReasonCode      *DepositReason   `json:"reasonCode" doc:"Why it failed. retracted: by its user. other: as the reason says."`
	CreatedAt       time.Time        `json:"createdAt"`
	HandledAt       *time.Time       `json:"handledAt"`
	DealID          *uuid.UUID       `json:"dealId" format:"uuid" nullable:"true" doc:"The deal that the money is for, if its user named one."`
	Disputed        bool             `json:"disputed" doc:"Another user has reported the same transaction id, and neither report has failed."`
	Expired         bool             `json:"expired" doc:"Failed because no admin looked at it in time. The transaction id can be reported again."`
	Operation       *operations.View `json:"operation,omitempty" doc:"Only while it is being approved."`
}

// DepositReason is why a deposit failed.
type DepositReason string

// Schema documents DepositReason, which may be null.
func (DepositReason) Schema(huma.Registry) *huma.Schema {
	return enumOrNull(wallet.NotFound, wallet.OtherAmount, wallet.UsedBefore, wallet.OtherNumber, wallet.Retracted, wallet.Expired,
		wallet.OtherReason)
}

func depositReasonOf(code wallet.ReasonCode) *DepositReason {
	if code == wallet.NoReason {
		return nil
	}
	reason := DepositReason(code)
	return &reason
}

// Withdrawal is a payout requested by a user.
type Withdrawal struct {
	ID              uuid.UUID        `json:"_id"`
	User            Customer         `json:"user"`
	Amount          money.Cents      `json:"amount" example:"500"`
	ConvertedAmount money.Poisha     `json:"convertedAmount" example:"60500"`
	Rate            int64            `json:"rate" doc:"Whole taka a dollar." example:"121"`
	Phonenumber     string           `json:"phonenumber" example:"01712345678"`
	PaymentMethod   string           `json:"paymentMethod" enum:"Bkash,Nagad"`
	Method          string           `json:"method" enum:"Bkash,Nagad" doc:"The same as paymentMethod."`
	ActionType      string           `json:"actionType" enum:"withdraw"`
	TransactionID   *string          `json:"transactionId" doc:"Of the payout."`
	Status          string           `json:"status" enum:"pending,completed,failed"`
	Reason          *string          `json:"reason"`
	RequestedAt     time.Time        `json:"requestedAt"`
	HandledAt       *time.Time       `json:"handledAt"`
	CancelledAt     *time.Time       `json:"cancelledAt" doc:"By the user."`
	OnHold          bool             `json:"onHold" doc:"It cannot be sent now: it waits for heldUntil, or for the user to confirm it."`
	HeldUntil       *time.Time       `json:"heldUntil"`
	HeldReasons     []string         `json:"heldReasons" enum:"new_number,password_reset,new_browser,factor_reset,email_changed,factor_added" doc:"What was new when it was asked for."`
	ConfirmedAt     *time.Time       `json:"confirmedAt" doc:"By the user, with the mailed link."`
	DisownedAt      *time.Time       `json:"disownedAt" doc:"The user says that somebody else asked for it. It is never sent: an admin rejects it, or the user cancels it."`
	Operation       *operations.View `json:"operation,omitempty" doc:"Only while it is being sent, rejected or cancelled."`
}

// Claim is the admin who works on a request, and until when it is reserved for them.
type Claim struct {
	Admin user.Ref  `json:"admin"`
	Until time.Time `json:"until"`
}

// History counts a user's requests so far.
type History struct {
	Completed int `json:"completed" example:"1"`
	Total     int `json:"total" example:"1"`
}

// Handling is what admins see of a request in addition to its user.
type Handling struct {
	Claim     Nullable[Claim]    `json:"claim"`
	HandledBy Nullable[user.Ref] `json:"handledBy"`
	History   History            `json:"history"`
}

// AdminDeposit is a deposit in the admins' worklist.
type AdminDeposit struct {
	Deposit
	Handling
	IsVerified           bool               `json:"isVerified" doc:"The user's address is." example:"true"`
	SameTransactionID    int                `json:"sameTransactionId" doc:"Failed deposits with the same transaction id." example:"0"`
	Disputes             []Dispute          `json:"disputes" doc:"Claims of other users to the same payment, the credited one first."`
	CreditRate           int64              `json:"creditRate" doc:"Whole taka a dollar, were it credited now: a day after the report, the present rate counts." example:"121"`
	CreditAmount         money.Cents        `json:"creditAmount" doc:"USD that the taka sent come to at the creditRate." example:"500"`
	AwaitingConfirmation Nullable[Proposal] `json:"awaitingConfirmation" doc:"A credit that a second admin has to confirm."`
}

// Dispute is another user's claim to a payment.
type Dispute struct {
	ID            uuid.UUID   `json:"_id"`
	User          user.Ref    `json:"user"`
	IsVerified    bool        `json:"isVerified" doc:"The user's address." example:"true"`
	UserSince     time.Time   `json:"userSince"`
	PaymentMethod string      `json:"paymentMethod" enum:"Bkash,Nagad"`
	Amount        money.Cents `json:"amount" doc:"USD as the user says." example:"500"`
	Status        string      `json:"status" enum:"pending,completed"`
	CreatedAt     time.Time   `json:"createdAt"`
}

// Proposal is a credit proposed by one admin that another has to confirm.
type Proposal struct {
	Amount money.Cents `json:"amount" example:"500"`
	Reason string      `json:"reason" doc:"Empty when there is none." example:"The payment was of another amount."`
	By     user.Ref    `json:"by"`
	At     time.Time   `json:"at"`
}

// AdminWithdrawal is a withdrawal in the admins' worklist.
type AdminWithdrawal struct {
	Withdrawal
	Handling
	Held              bool `json:"held" doc:"The user's withdrawals are on hold or stopped, or the user is disabled: it can only be rejected."`
	ClaimedBeforeStop bool `json:"claimedBeforeStop" doc:"It was put on hold, stopped or disowned after the admin of the claim began to work on it: that admin may have sent the money, and may book it with its transaction ID."`

	IsVerified      bool       `json:"isVerified" doc:"The user's address is." example:"true"`
	UserSince       time.Time  `json:"userSince"`
	PasswordResetAt *time.Time `json:"passwordResetAt" doc:"The last time by a mailed link."`
	SentToNumber    int        `json:"sentToNumber" doc:"Payouts to the user's same number before." example:"2"`
}

func depositOf(d wallet.Deposit) (Deposit, error) {
	operation, err := operationOrNil(d.Operation)
	return Deposit{
		ID: d.ID, User: Customer{d.User, d.Email}, Amount: d.Amount, ClaimedAmount: d.ClaimedAmount,
		ConvertedAmount: d.ConvertedAmount, Rate: d.Rate, TransactionID: d.TransactionID, PaymentMethod: d.Method,
		ActionType: "deposit", Status: string(d.Status), Reason: d.Reason, ReasonCode: depositReasonOf(d.ReasonCode),
		CreatedAt: d.CreatedAt, HandledAt: d.HandledAt, DealID: d.DealID, Disputed: d.Disputed, Expired: d.Expired(), Operation: operation,
	}, err
}

func withdrawalOf(w wallet.Withdrawal) (Withdrawal, error) {
	operation, err := operationOrNil(w.Operation)
	reasons := make([]string, len(w.HeldReasons))
	for i, reason := range w.HeldReasons {
		reasons[i] = string(reason)
	}
	return Withdrawal{
		ID: w.ID, User: Customer{w.User, w.Email}, Amount: w.Amount, ConvertedAmount: w.ConvertedAmount, Rate: w.Rate,
		Phonenumber: w.PhoneNumber, PaymentMethod: w.Method, Method: w.Method, ActionType: "withdraw",
		TransactionID: w.TransactionID, Status: string(w.Status), Reason: w.Reason, RequestedAt: w.RequestedAt, HandledAt: w.HandledAt,
		CancelledAt: w.CancelledAt, OnHold: w.OnHold, HeldUntil: w.HeldUntil, HeldReasons: reasons, ConfirmedAt: w.ConfirmedAt,
		DisownedAt: w.DisownedAt, Operation: operation,
	}, err
}

func handlingOf(claim *wallet.Claim, handledBy *user.Ref, history wallet.History) Handling {
	handling := Handling{HandledBy: orNull(handledBy), History: History(history)}
	if claim != nil {
		handling.Claim = orNull(&Claim{Admin: claim.Admin, Until: claim.Until})
	}
	return handling
}

func adminDepositOf(d wallet.QueuedDeposit) (AdminDeposit, error) {
	deposit, err := depositOf(d.Deposit)
	wire := AdminDeposit{
		Deposit: deposit, Handling: handlingOf(d.Claim, d.HandledBy, d.History), IsVerified: d.Verified, SameTransactionID: d.SameTransactionID,
		Disputes: mapped(d.Rivals, disputeOf), CreditRate: d.CreditRate, CreditAmount: d.CreditAmount,
	}
	if p := d.Proposal; p != nil {
		wire.AwaitingConfirmation = orNull(&Proposal{Amount: p.Amount, Reason: p.Reason, By: p.By, At: p.At})
	}
	return wire, err
}

func disputeOf(r wallet.Rival) Dispute {
	return Dispute{
		ID: r.ID, User: r.User, IsVerified: r.Verified, UserSince: r.UserSince, PaymentMethod: r.Method, Amount: r.Amount,
		Status: string(r.Status), CreatedAt: r.CreatedAt,
	}
}

func adminWithdrawalOf(w wallet.QueuedWithdrawal) (AdminWithdrawal, error) {
	withdrawal, err := withdrawalOf(w.Withdrawal)
	return AdminWithdrawal{
		Withdrawal: withdrawal, Handling: handlingOf(w.Claim, w.HandledBy, w.History), Held: w.Held(), ClaimedBeforeStop: w.ClaimedBeforeStop(),
		IsVerified: w.Facts.Verified,
		UserSince:  w.Facts.UserSince, PasswordResetAt: w.Facts.PasswordResetAt, SentToNumber: w.Facts.SentToNumber,
	}, err
}
