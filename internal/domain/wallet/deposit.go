package wallet

import (
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// DepositStatus is the state of a deposit (docs/rules.md#deposits).
type DepositStatus string

// Statuses of deposits.
const (
	DepositPending   DepositStatus = "pending"
	DepositCompleted DepositStatus = "completed"
	DepositFailed    DepositStatus = "Failed"
)

// Deposit is a payment to the platform that a user has reported.
type Deposit struct {
	ID              uuid.UUID
	User            user.Ref
	Email           string
	ClaimedAmount   money.Cents // as reported
	Amount          money.Cents // ClaimedAmount until approved, then what was credited
	ConvertedAmount money.Poisha
	Rate            int64 // whole taka a dollar, at the time of the report
	TransactionID   string
	Method          string
	Status          DepositStatus
	Reason          *string    // in an admin's own words
	ReasonCode      ReasonCode // of a failed deposit; NoReason: none was given
	DealID          *uuid.UUID // the deal that the money is for, if the user named one
	CreatedAt       time.Time
	HandledAt       *time.Time
	HandledBy       *user.Ref
	// Disputed says that another user's deposit has the same transaction ID, and neither has
	// failed.
	Disputed  bool
	Operation *operations.Operation // while it is being approved
}

// Expired reports whether the deposit failed because no admin handled it in time.
func (d Deposit) Expired() bool { return d.ReasonCode == Expired }

// QueuedDeposit is a deposit with what an admin needs to review it.
type QueuedDeposit struct {
	Deposit
	Verified          bool // the user's email address
	Claim             *Claim
	History           History
	SameTransactionID int       // failed deposits with the same transaction id
	Rivals            []Rival   // while Disputed; the credited one first
	Proposal          *Proposal // a large credit waiting for a second admin
	CreditRate        int64     // whole taka a dollar, if it were credited now
	CreditAmount      money.Cents
}

// Rival is another user's claim to the same payment.
type Rival struct {
	ID        uuid.UUID
	User      user.Ref
	Verified  bool // the user's email address
	UserSince time.Time
	Method    string
	Amount    money.Cents // as reported
	Status    DepositStatus
	CreatedAt time.Time
}

// Report is what a user reports of a deposit.
type Report struct {
	Amount        money.Cents // 0: not given
	TransactionID string
	Method        string
	// MaxPending is how many pending deposits the user may have, including this one. Zero means no
	// limit.
	MaxPending int
	Taka       *money.Poisha // amount that the user was shown; nil: not given
	// DealID is the deal that the money is for. The caller has checked that the user is its buyer.
	DealID *uuid.UUID
}

var transactionID = regexp.MustCompile(`^[0-9A-Z]{8,12}$`)

// validate checks the rules of docs/rules.md#deposits in order and returns the transaction ID in
// upper case, as it is stored.
func (r Report) validate() (string, error) {
	id := strings.ToUpper(strings.TrimSpace(r.TransactionID))
	switch {
	case r.Method == "":
		return "", fault.Field("paymentMethod", "fields_missing", textAllFields)
	case r.TransactionID == "":
		return "", fault.Field("transactionId", "fields_missing", textAllFields)
	case r.Amount <= 0:
		return "", fault.Field("amount", "deposit_invalid", "Invalid amount or transaction ID")
	case id == "":
		return "", fault.Field("transactionId", "deposit_invalid", "Invalid amount or transaction ID")
	case !transactionID.MatchString(id):
		return "", fault.Field("transactionId", "transaction_malformed",
			"Invalid transaction ID format. It should be 8-12 alphanumeric characters.")
	case !validMethod(r.Method):
		return "", fault.Field("paymentMethod", "method_unknown", textMethod)
	case r.Amount > maxAmount:
		return "", fault.Field("amount", "amount_too_large", textMaximum)
	}
	return id, nil
}

func errTransactionUsed() error {
	return fault.Taken("transactionId", "transaction_used", "This transaction ID has already been used.")
}

// ReportDeposit records that a user has sent money. No money moves until an admin approves the
// deposit. If another user has reported the same transaction ID, both deposits become Disputed.
// Codes: Invalid with the first rule that fails, Duplicate if the user has reported the transaction
// ID before or it is that of a payout, Conflict if the user has too many pending deposits,
// RateChanged if report.Taka is not what the amount costs, Unavailable without an exchange rate,
// IdempotencyMismatch.
func (s *Service) ReportDeposit(ctx context.Context, userID uuid.UUID, report Report, key *idempotency.Key) (Deposit, error) {
	transaction, err := report.validate()
	if err != nil {
		return Deposit{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Deposit{}, err
	}
	report.TransactionID = transaction
	made, err := idempotency.Create(ctx, s.DB, key, id, s.Clock.Now(), func(tx *postgres.Tx) error {
		return s.report(ctx, tx, userID, id, report)
	})
	if err != nil {
		return Deposit{}, err
	}
	d, err := getDeposit(ctx, s.DB, made)
	return d.Deposit, err
}

// checkPendingDeposits returns a Conflict if the user already has most pending deposits, or one
// before any was credited: otherwise claims of nothing could fill the admins' queue. Other reports
// of the same user wait until the transaction ends.
func checkPendingDeposits(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, most int) error {
	if most == 0 {
		return nil
	}
	of, err := lockDepositCounts(ctx, tx, userID)
	switch {
	case err != nil:
	case of.Pending > 0 && !of.Credited:
		err = fault.New(fault.Conflict, "first_deposit_pending",
			"Your first deposit is being checked. You can report another one when it is in your balance.")
	case of.Pending >= most:
		err = fault.Newf(fault.Conflict, "too_many_deposits",
			"You may have up to {count} deposits waiting for approval for now. Please wait until one is handled.", fault.Params{"count": most})
	}
	return err
}

func (s *Service) report(ctx context.Context, tx *postgres.Tx, userID, id uuid.UUID, report Report) error {
	if err := checkPendingDeposits(ctx, tx, userID, report.MaxPending); err != nil {
		return err
	}
	rate, err := currentRate(ctx, tx)
	if err != nil {
		return err
	}
	taka := rate.CeilTaka()
	converted, err := money.Convert(report.Amount, taka)
	if err != nil {
		return err
	}
	if report.Taka != nil && *report.Taka != converted {
		return errRateChanged()
	}
	if err := lockTransaction(ctx, tx, report.TransactionID); err != nil {
		return err
	}
	ours, err := isPayout(ctx, tx, report.TransactionID)
	if err == nil && ours {
		err = fault.Taken("transactionId", "transaction_ours", "This transaction ID belongs to a payment that Amanat sent.")
	}
	if err != nil {
		return err
	}
	if err := checkNotReported(ctx, tx, userID, report.TransactionID); err != nil {
		return err
	}
	inserted, err := insertDeposit(ctx, tx, id, userID, report, taka, converted, s.Clock.Now())
	if postgres.UniqueViolation(err, "deposits_transaction_user_key") {
		return errTransactionUsed()
	}
	if err == nil && !inserted {
		err = fault.New(fault.Unauthenticated, "login_needed", "Please log in to continue.")
	}
	if err != nil {
		return err
	}
	s.Events.WalletUpdated(tx, userID)
	return s.announce(ctx, tx, id)
}

// checkNotReported returns a Duplicate that says when and how the user has reported the transaction
// ID before, unless that report failed.
func checkNotReported(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, transaction string) error {
	earlier, found, err := findReported(ctx, tx, userID, transaction)
	if err != nil || !found {
		return err
	}
	params := fault.Params{"time": clock.Moment(earlier.CreatedAt), "amount": earlier.Amount}
	if earlier.Status == DepositCompleted {
		return fault.Takenf("transactionId", "transaction_credited", "You already reported this on {time} (${amount}, credited).", params)
	}
	return fault.Takenf("transactionId", "transaction_pending", "You already reported this on {time} (${amount}, being checked).", params)
}

// depositLink is the page of a deposit for its user.
func depositLink(id uuid.UUID) string { return "/balance/deposits/" + id.String() }

// announce notifies the admins of a new deposit.
func (s *Service) announce(ctx context.Context, tx *postgres.Tx, id uuid.UUID) error {
	d, err := getDeposit(ctx, tx, id)
	if err != nil {
		return err
	}
	kind := catalog.AdminDeposit
	if d.Disputed {
		kind = catalog.AdminDepositDisputed
	}
	s.Events.QueueChanged(tx, realtime.QueueDeposits, id)
	return s.notifyAdmins(ctx, tx, d.User, jobs.AdminNotice{
		NoticeKind: string(kind),
		Params: catalog.Params{
			"username": d.User.Username, "amount": d.Amount.String(), "method": d.Method, "transactionId": d.TransactionID,
		},
		SubjectID: id,
		Link:      "/admin/deposit",
	})
}

func (s *Service) notifyAdmins(ctx context.Context, tx *postgres.Tx, about user.Ref, notice jobs.AdminNotice) error {
	notice.AboutID = &about.ID
	_, err := s.Jobs.InsertTx(ctx, tx, notice, nil)
	return err
}

// ListDeposits returns a user's own deposits, newest first, and the total number.
func (s *Service) ListDeposits(ctx context.Context, userID uuid.UUID, page postgres.Page) ([]Deposit, int, error) {
	queued, totals, err := s.depositPage(ctx, depositFilter{userID: &userID, sort: NewestFirst}, page)
	return depositsOf(queued), totals.Count, err
}

func depositsOf(queued []QueuedDeposit) []Deposit {
	list := make([]Deposit, len(queued))
	for i, d := range queued {
		list[i] = d.Deposit
	}
	return list
}
