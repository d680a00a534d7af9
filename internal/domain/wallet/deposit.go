package wallet

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/app/worklist"
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
	PaidAmount      *money.Poisha // that arrived, if it was credited without an admin
	Rate            int64         // whole taka a dollar, at the time of the report
	TransactionID   string
	Method          string
	Status          DepositStatus
	Reason          *string    // in an admin's own words
	ReasonCode      ReasonCode // of a failed deposit; NoReason: none was given
	Receiver        string     // the number that the user was shown; "": not known
	DealID          *uuid.UUID // the deal that the user named, while it can be paid
	DealDescription string     // of that deal
	DealTerms       *int       // that the user has read: the deal is paid with the deposit; nil: it is not
	CreatedAt       time.Time
	HandledAt       *time.Time
	HandledBy       *user.Ref
	// Disputed says that another user's deposit has the same transaction ID, and neither has
	// failed.
	Disputed  bool
	Operation *operations.Operation `db:"-"` // while it is being approved
}

// Expired reports whether the deposit failed because no admin handled it in time.
func (d Deposit) Expired() bool { return d.ReasonCode == Expired }

// WorklistDeposit is a deposit with what an admin needs to review it.
type WorklistDeposit struct {
	Deposit
	Verified          bool // the user's email address
	Claim             *worklist.Claim
	History           History
	SameTransactionID int         // failed deposits with the same transaction id
	Rivals            []Rival     `db:"-"` // while Disputed; the credited one first
	Proposal          *Proposal   // a large credit waiting for a second admin
	Evidence          *Evidence   // what an SMS states of the payment; nil: none has come
	CreditRate        int64       `db:"-"` // whole taka a dollar, if it were credited now
	CreditAmount      money.Cents `db:"-"`
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
	Receiver   string        // number that the user was shown; "": not given
	// DealID is the deal that the money is for. The caller has checked that the user is its buyer.
	DealID *uuid.UUID
	// Terms is the version of the deal's terms that the user has read: the deal is paid with the
	// deposit if it still has them. Zero means that it is not.
	Terms int
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
// IdempotencyMismatch. If a worker has made the deposit before the user reports it, that one is
// returned.
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
	if fault.As(err) != nil {
		unreported, found, findErr := findUnreported.Find(ctx, s.DB, postgres.Args{"user": userID, "transaction": transaction})
		if err = cmp.Or(findErr, err); found {
			made, err = unreported, nil
		}
	}
	if err != nil {
		return Deposit{}, err
	}
	d, err := getDeposit(ctx, s.DB, made)
	return d.Deposit, err
}

// checkPendingDeposits returns a Conflict if the user already has most pending deposits, or one
// before any was credited: otherwise claims of nothing could fill the admins' worklist. Other
// reports of the same user wait until the transaction ends.
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

// price returns the rate and what the amount costs now. Codes: RateChanged if the user was shown
// another price, Unavailable without a rate.
func price(ctx context.Context, tx *postgres.Tx, report Report) (taka int64, converted money.Poisha, err error) {
	rate, err := currentRate(ctx, tx)
	if err != nil {
		return 0, 0, err
	}
	taka = rate.CeilTaka()
	converted, err = money.Convert(report.Amount, taka)
	if err == nil && report.Taka != nil && *report.Taka != converted {
		err = errRateChanged()
	}
	return taka, converted, err
}

func (s *Service) report(ctx context.Context, tx *postgres.Tx, userID, id uuid.UUID, report Report) error {
	if err := checkPendingDeposits(ctx, tx, userID, report.MaxPending); err != nil {
		return err
	}
	taka, _, err := price(ctx, tx, report)
	if err != nil {
		return err
	}
	if err := lockTransaction.Run(ctx, tx, postgres.Args{"transaction": report.TransactionID}); err != nil {
		return err
	}
	ours, err := isPayout.One(ctx, tx, postgres.Args{"transaction": report.TransactionID})
	if err == nil && ours {
		err = fault.Taken("transactionId", "transaction_ours", "This transaction ID belongs to a payment that Amanat sent.")
	}
	if err != nil {
		return err
	}
	if err := checkNotReported(ctx, tx, userID, report.TransactionID); err != nil {
		return err
	}
	if report.Receiver, err = s.receiverOf(ctx, tx, report); err != nil {
		return err
	}
	return s.insert(ctx, tx, userID, id, report, taka)
}

func errLoginNeeded() error {
	return fault.New(fault.Unauthenticated, "login_needed", "Please log in to continue.")
}

// insert inserts the deposit of a report at a rate, and has it matched and reviewed.
func (s *Service) insert(ctx context.Context, tx *postgres.Tx, userID, id uuid.UUID, report Report, taka int64) error {
	converted, err := money.Convert(report.Amount, taka)
	if err != nil {
		return err
	}
	inserted, err := insertDeposit(ctx, tx, id, userID, report, taka, converted, s.Clock.Now())
	if postgres.UniqueViolation(err, "deposits_transaction_user_key") {
		return errTransactionUsed()
	}
	if err == nil && !inserted {
		err = errLoginNeeded()
	}
	if err != nil {
		return err
	}
	s.Events.WalletUpdated(tx, userID)
	if err := s.matchLater(ctx, tx, id); err != nil {
		return err
	}
	return s.announceLater(ctx, tx, id, report.Method)
}

// matchLater has a worker look for the payment of a new deposit, if phones forward SMS.
func (s *Service) matchLater(ctx context.Context, tx *postgres.Tx, id uuid.UUID) error {
	forwarded, err := anyReceiver.One(ctx, tx, nil)
	if err != nil || !forwarded {
		return err
	}
	_, err = s.Jobs.InsertTx(ctx, tx, jobs.DepositMatch{DepositID: id}, nil)
	return err
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

// smsTime is how long an SMS may take until the admins are notified of a deposit.
const smsTime = 2 * time.Minute

// announceLater notifies the admins of a new deposit. Where an SMS is enough to credit it, they are
// notified only if it still waits after smsTime.
func (s *Service) announceLater(ctx context.Context, tx *postgres.Tx, id uuid.UUID, method string) error {
	automatic, err := automaticMethods.Many(ctx, tx, postgres.Args{"since": s.Clock.Now().Add(-silentAfter)})
	if err != nil {
		return err
	}
	if !slices.Contains(automatic, method) {
		return s.announce(ctx, tx, id)
	}
	s.Events.WorklistChanged(tx, realtime.WorklistDeposits, id)
	_, err = s.Jobs.InsertTx(ctx, tx, jobs.DepositNotice{DepositID: id},
		&river.InsertOpts{ScheduledAt: clock.System{}.Now().Add(smsTime)})
	return err
}

// AnnounceDeposit notifies the admins of a deposit if it waits for one of them.
func (s *Settler) AnnounceDeposit(ctx context.Context, id uuid.UUID) error {
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		d, err := getDeposit(ctx, tx, id)
		if err != nil || d.Status != DepositPending {
			return err
		}
		return s.announce(ctx, tx, id)
	})
}

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
	s.Events.WorklistChanged(tx, realtime.WorklistDeposits, id)
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

func depositsOf(queued []WorklistDeposit) []Deposit {
	list := make([]Deposit, len(queued))
	for i, d := range queued {
		list[i] = d.Deposit
	}
	return list
}

// maxListedPending is how many of a user's pending deposits are listed.
const maxListedPending = 20

// OwnDeposit returns a deposit to the user who reported it. Code NotFound, for other users, too.
func (s *Service) OwnDeposit(ctx context.Context, owner, id uuid.UUID) (Deposit, error) {
	d, err := deposits.find(ctx, s.DB, id)
	if err == nil && d.User.ID != owner {
		err = errNoDeposit()
	}
	if err != nil {
		return Deposit{}, err
	}
	return d.Deposit, nil
}

// PendingDeposits returns a user's deposits that no admin has handled yet, newest first.
func (s *Service) PendingDeposits(ctx context.Context, owner uuid.UUID) ([]Deposit, error) {
	filter := depositFilter{userID: &owner, status: DepositPending, sort: NewestFirst}
	list, _, err := s.depositPage(ctx, filter, postgres.Page{Limit: maxListedPending})
	return depositsOf(list), err
}

// RetractDeposit fails a pending deposit that its user has reported by mistake, which frees the
// transaction ID. A deposit that the user has already retracted is returned as it is. Codes:
// NotFound for other users, Conflict if the deposit is handled, while it is being approved, or
// while its credit waits for a second admin.
func (s *Service) RetractDeposit(ctx context.Context, owner, id uuid.UUID) (Deposit, error) {
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		d, err := lockDeposit(ctx, tx, id)
		if err != nil {
			return err
		}
		if d.User.ID != owner {
			return errNoDeposit()
		}
		if d.ReasonCode == Retracted {
			return nil
		}
		return s.retract(ctx, tx, d)
	})
	if err != nil {
		return Deposit{}, err
	}
	return s.OwnDeposit(ctx, owner, id)
}

// retract fails a deposit that the caller has locked.
func (s *Service) retract(ctx context.Context, tx *postgres.Tx, d WorklistDeposit) error {
	switch {
	case d.Status != DepositPending:
		return fault.New(fault.Conflict, "deposit_handled", "This deposit has been handled already.")
	case d.Proposal != nil:
		return fault.New(fault.Conflict, "deposit_almost_credited", "An admin is about to credit this deposit, so it cannot be withdrawn.")
	}
	if err := checkNotBusy(ctx, tx, operations.Deposit(d.ID)); err != nil {
		return err
	}
	now := s.Clock.Now()
	d.Status, d.HandledAt, d.ReasonCode = DepositFailed, &now, Retracted
	if err := setDepositFailed(ctx, tx, d.Deposit, actor.System()); err != nil {
		return err
	}
	s.Events.WalletUpdated(tx, d.User.ID)
	s.Events.WorklistChanged(tx, realtime.WorklistDeposits, d.ID)
	return nil
}

// DepositSort is the order of a list of deposits.
type DepositSort string

// Orders of deposits. Without one, pending deposits come oldest first, as a queue is worked, and
// others newest first.
const (
	OldestFirst  DepositSort = "oldest"
	NewestFirst  DepositSort = "newest"
	LargestFirst DepositSort = "largest"
)

// Payer selects deposits by what is known of their users.
type Payer string

// Whether a deposit of the user was ever credited, and whether their email address is verified.
const (
	Credited      Payer = "credited"
	NeverCredited Payer = "never_credited"
	Verified      Payer = "verified"
	Unverified    Payer = "unverified"
)

// DepositQuery is what an admin looks for among the deposits. Empty fields select all.
type DepositQuery struct {
	Status DepositStatus
	Method string
	Payer  Payer
	Search string // the beginning of a transaction ID or username, or an amount
	Sort   DepositSort
}

// Totals are the number of rows on all pages of a list, and the sum of their amounts.
type Totals struct {
	Count  int
	Amount money.Cents
}

// A beginning of one character is not searched for: it is that of too many.
var (
	transactionBeginning = regexp.MustCompile(`^[0-9A-Z]{2,12}$`)
	phoneBeginning       = regexp.MustCompile(`^[0-9]{2,11}$`)
	usernameBeginning    = regexp.MustCompile(`^[0-9a-z_-]{2,40}$`)
)

// requestSearch is a search in the terms of the columns. Fields that the text cannot mean are zero.
type requestSearch struct {
	transaction string // the beginning, in upper case
	phone       string // the beginning; of withdrawals only
	username    string // the beginning, in lower case
	dollars     money.Cents
	taka        money.Poisha
}

func (q DepositQuery) filter() depositFilter {
	f := depositFilter{status: q.Status, method: q.Method, payer: q.Payer, sort: q.Sort}
	if f.sort == "" {
		f.sort = NewestFirst
		if q.Status == DepositPending {
			f.sort = OldestFirst
		}
	}
	f.search = parseSearch(q.Search)
	return f
}

// asciiDigits replaces Bangla digits, and removes what people write between digits.
var asciiDigits = strings.NewReplacer(
	"০", "0", "১", "1", "২", "2", "৩", "3", "৪", "4", "৫", "5", "৬", "6", "৭", "7", "৮", "8", "৯", "9", ",", "", " ", "", "\u00a0", "")

// parseSearch returns all that a text may mean, nil without one. A currency sign makes it an amount
// only.
func parseSearch(text string) *requestSearch {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	number := asciiDigits.Replace(text)
	amount, inDollars := strings.CutPrefix(number, "$")
	amount, inTaka := strings.CutPrefix(amount, "৳")
	s := &requestSearch{}
	if units, err := money.Parse(amount); err == nil && units > 0 {
		if !inTaka {
			s.dollars = money.Cents(units)
		}
		if !inDollars {
			s.taka = money.Poisha(units)
		}
	}
	if upper := strings.ToUpper(text); transactionBeginning.MatchString(upper) {
		s.transaction = upper
	}
	if digits := strings.ReplaceAll(number, "-", ""); phoneBeginning.MatchString(digits) {
		s.phone = digits
	}
	if lower := strings.ToLower(text); usernameBeginning.MatchString(lower) {
		s.username = lower
	}
	return s
}

// ReasonCode says why a deposit failed (docs/rules.md#deposit-reasons).
type ReasonCode string

// Reasons. Those that admins choose are AdminReasons.
const (
	NoReason    ReasonCode = ""
	NotFound    ReasonCode = "not_found"    // no payment with the transaction ID
	OtherAmount ReasonCode = "other_amount" // the payment is of another amount
	UsedBefore  ReasonCode = "used_before"  // the payment was credited before
	OtherNumber ReasonCode = "other_number" // the payment went to a number that is not the platform's
	OtherReason ReasonCode = "other"        // in the admin's words
	Retracted   ReasonCode = "retracted"    // by its user
	Expired     ReasonCode = "expired"      // no admin handled it in time
)

// AdminReasons returns the reasons that an admin may reject a deposit for.
func AdminReasons() []ReasonCode {
	return []ReasonCode{NotFound, OtherAmount, UsedBefore, OtherNumber, OtherReason}
}

// Rejection is why an admin rejects a deposit.
type Rejection struct {
	Code   ReasonCode // NoReason: not given
	Reason string     // the admin's own words; optional
}

func (r Rejection) validate() error {
	if r.Code != NoReason && !slices.Contains(AdminReasons(), r.Code) {
		return fault.Field("code", "deposit_reason_unknown", "Choose one of the reasons.")
	}
	return checkReason(r.Reason)
}

// code returns the code to store: words without one are another reason.
func (r Rejection) code() ReasonCode {
	if r.Code == NoReason && r.Reason != "" {
		return OtherReason
	}
	return r.Code
}

// rejectedKinds are the notices of rejections by their codes. Each says what the user can do.
var rejectedKinds = map[ReasonCode]catalog.Kind{
	NotFound:    catalog.DepositNotFound,
	OtherAmount: catalog.DepositOtherAmount,
	UsedBefore:  catalog.DepositUsedBefore,
	OtherNumber: catalog.DepositOtherNumber,
	OtherReason: catalog.DepositRejected,
	NoReason:    catalog.DepositRejected,
}
