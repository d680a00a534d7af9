package api

import (
	"time"

	"github.com/google/uuid"

	"amanat/internal/money"
	"amanat/internal/party"
	"amanat/internal/wallet"
)

// Customer is a person as his own requests and admins show him.
type Customer struct {
	party.Party
	Email string `json:"email"`
}

// Deposit is money that a user says he has sent.
type Deposit struct {
	ID              uuid.UUID    `json:"_id"`
	User            Customer     `json:"user"`
	Amount          money.Cents  `json:"amount" doc:"USD: as the user says, and once approved as credited."`
	ClaimedAmount   money.Cents  `json:"claimedAmount" doc:"USD as the user says."`
	ConvertedAmount money.Poisha `json:"convertedAmount"`
	Rate            int64        `json:"rate" doc:"Whole taka a dollar."`
	TransactionID   string       `json:"transactionId"`
	PaymentMethod   string       `json:"paymentMethod" enum:"Bkash,Nagad"`
	ActionType      string       `json:"actionType" enum:"deposit"`
	Status          string       `json:"status" enum:"pending,completed,Failed"`
	Reason          *string      `json:"reason"`
	CreatedAt       time.Time    `json:"createdAt"`
	HandledAt       *time.Time   `json:"handledAt"`
	Operation       *Operation   `json:"operation,omitempty" doc:"Only while it is being approved."`
}

// Withdrawal is money on its way out.
type Withdrawal struct {
	ID              uuid.UUID    `json:"_id"`
	User            Customer     `json:"user"`
	Amount          money.Cents  `json:"amount"`
	ConvertedAmount money.Poisha `json:"convertedAmount"`
	Rate            int64        `json:"rate" doc:"Whole taka a dollar."`
	Phonenumber     string       `json:"phonenumber"`
	PaymentMethod   string       `json:"paymentMethod" enum:"Bkash,Nagad"`
	Method          string       `json:"method" enum:"Bkash,Nagad" doc:"The same as paymentMethod."`
	ActionType      string       `json:"actionType" enum:"withdraw"`
	TransactionID   *string      `json:"transactionId" doc:"Of the payout."`
	Status          string       `json:"status" enum:"pending,completed,failed"`
	Reason          *string      `json:"reason"`
	RequestedAt     time.Time    `json:"requestedAt"`
	HandledAt       *time.Time   `json:"handledAt"`
	Operation       *Operation   `json:"operation,omitempty" doc:"Only while it is being sent or rejected."`
}

// Claim says which admin works on a request, and until when nobody else may.
type Claim struct {
	Admin party.Party `json:"admin"`
	Until time.Time   `json:"until"`
}

// History counts a user's requests so far.
type History struct {
	Completed int `json:"completed"`
	Total     int `json:"total"`
}

// Handling is what admins see of a request beside what its user sees.
type Handling struct {
	Claim     Nullable[Claim]       `json:"claim"`
	HandledBy Nullable[party.Party] `json:"handledBy"`
	History   History               `json:"history"`
}

// AdminDeposit is a deposit in the admins' queue.
type AdminDeposit struct {
	Deposit
	Handling
	SameTransactionID int `json:"sameTransactionId" doc:"Other deposits with the same method and transaction id: failed ones."`
}

// AdminWithdrawal is a withdrawal in the admins' queue.
type AdminWithdrawal struct {
	Withdrawal
	Handling
	Held bool `json:"held" doc:"The user's withdrawals are on hold, or the user is disabled: it can only be rejected."`
}

func depositOf(d wallet.Deposit) (Deposit, error) {
	operation, err := operationOrNil(d.Operation)
	return Deposit{
		ID: d.ID, User: Customer{d.User, d.Email}, Amount: d.Amount, ClaimedAmount: d.ClaimedAmount,
		ConvertedAmount: d.ConvertedAmount, Rate: d.Rate, TransactionID: d.TransactionID, PaymentMethod: d.Method,
		ActionType: "deposit", Status: string(d.Status), Reason: d.Reason, CreatedAt: d.CreatedAt, HandledAt: d.HandledAt,
		Operation: operation,
	}, err
}

func withdrawalOf(w wallet.Withdrawal) (Withdrawal, error) {
	operation, err := operationOrNil(w.Operation)
	return Withdrawal{
		ID: w.ID, User: Customer{w.User, w.Email}, Amount: w.Amount, ConvertedAmount: w.ConvertedAmount, Rate: w.Rate,
		Phonenumber: w.PhoneNumber, PaymentMethod: w.Method, Method: w.Method, ActionType: "withdraw",
		TransactionID: w.TransactionID, Status: string(w.Status), Reason: w.Reason, RequestedAt: w.RequestedAt, HandledAt: w.HandledAt,
		Operation: operation,
	}, err
}

func handlingOf(claim *wallet.Claim, handledBy *party.Party, history wallet.History) Handling {
	handling := Handling{HandledBy: orNull(handledBy), History: History(history)}
	if claim != nil {
		handling.Claim = orNull(&Claim{Admin: claim.Admin, Until: claim.Until})
	}
	return handling
}

func adminDepositOf(d wallet.QueuedDeposit) (AdminDeposit, error) {
	deposit, err := depositOf(d.Deposit)
	return AdminDeposit{deposit, handlingOf(d.Claim, d.HandledBy, d.History), d.SameTransactionID}, err
}

func adminWithdrawalOf(w wallet.QueuedWithdrawal) (AdminWithdrawal, error) {
	withdrawal, err := withdrawalOf(w.Withdrawal)
	return AdminWithdrawal{withdrawal, handlingOf(w.Claim, w.HandledBy, w.History), w.Held}, err
}
