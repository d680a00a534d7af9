package wallet

import (
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/fault"
	"amanat/internal/money"
	"amanat/internal/operations"
	"amanat/internal/party"
	"amanat/internal/postgres"
	"amanat/internal/realtime"
	"amanat/internal/texts"
	"amanat/queue/jobs"
)

// DepositStatus is the state of a deposit, in SPEC §4's words.
type DepositStatus string

// Statuses of deposits.
const (
	DepositPending   DepositStatus = "pending"
	DepositCompleted DepositStatus = "completed"
	DepositFailed    DepositStatus = "Failed"
)

// Deposit is money that a user says he has sent us.
type Deposit struct {
	ID              uuid.UUID
	User            party.Party
	Email           string
	ClaimedAmount   money.Cents // as the user says
	Amount          money.Cents // the same until approved, then what was credited
	ConvertedAmount money.Poisha
	Rate            int64 // whole taka a dollar, at the time of the report
	TransactionID   string
	Method          string
	Status          DepositStatus
	Reason          *string
	CreatedAt       time.Time
	HandledAt       *time.Time
	Operation       *operations.Operation // while it is being approved
}

// QueuedDeposit is a deposit with what an admin needs to judge it.
type QueuedDeposit struct {
	Deposit
	Claim             *Claim
	HandledBy         *party.Party
	History           History
	SameTransactionID int // other deposits with the same method and id: failed ones
}

// Report is what a user says of a deposit.
type Report struct {
	Amount        money.Cents // 0: not given
	TransactionID string
	Method        string
}

var transactionID = regexp.MustCompile(`^[0-9A-Z]{8,12}$`)

// validate applies SPEC §5 "Deposit" in its order and returns the transaction id in the form it is kept in.
func (r Report) validate() (string, error) {
	id := strings.ToUpper(strings.TrimSpace(r.TransactionID))
	switch {
	case r.Method == "":
		return "", fault.Field("paymentMethod", textAllFields)
	case r.TransactionID == "":
		return "", fault.Field("transactionId", textAllFields)
	case r.Amount <= 0:
		return "", fault.Field("amount", "Invalid amount or transaction ID")
	case id == "":
		return "", fault.Field("transactionId", "Invalid amount or transaction ID")
	case !transactionID.MatchString(id):
		return "", fault.Field("transactionId", "Invalid transaction ID format. It should be 8-12 alphanumeric characters.")
	case !validMethod(r.Method):
		return "", fault.Field("paymentMethod", textMethod)
	case r.Amount > maxAmount:
		return "", fault.Field("amount", textMaximum)
	}
	return id, nil
}

// ReportDeposit records that a user has sent money; nothing moves before an admin approves it. Codes: Invalid with SPEC §5's texts,
// Duplicate when the transaction id is taken, Unavailable without an exchange rate, IdempotencyMismatch.
func (s *Service) ReportDeposit(ctx context.Context, userID uuid.UUID, report Report, key *operations.Key) (Deposit, error) {
	transaction, err := report.validate()
	if err != nil {
		return Deposit{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Deposit{}, err
	}
	report.TransactionID = transaction
	made, err := s.Operations.Once(ctx, key, id, func(tx *postgres.Tx) error {
		return s.report(ctx, tx, userID, id, report)
	})
	if err != nil {
		return Deposit{}, err
	}
	d, err := getDeposit(ctx, s.DB, made)
	return d.Deposit, err
}

func (s *Service) report(ctx context.Context, tx *postgres.Tx, userID, id uuid.UUID, report Report) error {
	rate, err := currentRate(ctx, tx)
	if err != nil {
		return err
	}
	taka := rate.CeilTaka()
	converted, err := money.Convert(report.Amount, taka)
	if err != nil {
		return err
	}
	err = insertDeposit(ctx, tx, id, userID, report, taka, converted, s.Clock.Now())
	if postgres.UniqueViolation(err, "deposits_transaction_key") {
		duplicate := fault.New(fault.Duplicate, "This transaction ID has already been used.")
		duplicate.Fields = map[string]string{"transactionId": duplicate.Message}
		return duplicate
	}
	if err != nil {
		return err
	}
	d, err := getDeposit(ctx, tx, id)
	if err != nil {
		return err
	}
	s.Events.Admins(tx, realtime.QueueDeposits, id)
	return s.tellAdmins(ctx, tx, d.User, jobs.AdminNotice{
		NoticeKind: string(texts.AdminDeposit),
		Params: texts.Params{
			"username": d.User.Username, "amount": d.Amount.String(), "method": d.Method, "transactionId": d.TransactionID,
		},
		SubjectID: id,
		Link:      "/admin/deposit",
	})
}

func (s *Service) tellAdmins(ctx context.Context, tx *postgres.Tx, about party.Party, notice jobs.AdminNotice) error {
	notice.AboutID = about.ID
	_, err := s.Jobs.InsertTx(ctx, tx, notice, nil)
	return err
}

// ListDeposits returns a user's own deposits, newest first, and how many there are in all.
func (s *Service) ListDeposits(ctx context.Context, userID uuid.UUID, page Page) ([]Deposit, int, error) {
	queued, total, err := s.depositPage(ctx, depositFilter{userID: userID}, page)
	list := make([]Deposit, len(queued))
	for i, d := range queued {
		list[i] = d.Deposit
	}
	return list, total, err
}
