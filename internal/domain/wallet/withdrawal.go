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
	"amanat/internal/app/worklist"
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
	TransactionID   *string    // of the payout
	PaymentID       *uuid.UUID // the payout, if an SMS states it
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
	OnHold    bool                  `db:"-"`
	Operation *operations.Operation `db:"-"` // while it is being sent, rejected or cancelled
}

// WorklistWithdrawal is a withdrawal with what an admin needs to handle it.
type WorklistWithdrawal struct {
	Withdrawal
	Claim     *worklist.Claim
	HandledBy *user.Ref
	History   History
	Facts     Facts

	// StoppedAt is since when all withdrawals of the user have been on hold or stopped, or the user
	// disabled. nil: they are not.
	StoppedAt *time.Time
	// ClaimedAt is since when the admin of the claim has worked on the withdrawal.
	ClaimedAt *time.Time
	// Evidence is what an SMS states of the payout, or of one to the number with the amount that no
	// withdrawal explains. nil: nothing.
	Evidence *Evidence
}

// Held reports whether all withdrawals of the user are on hold or stopped, or the user is disabled.
func (w WorklistWithdrawal) Held() bool { return w.StoppedAt != nil }

// ClaimedBeforeStop reports whether the withdrawal was disowned or stopped after the admin of its
// claim began to work on it, who may have sent the money by then.
func (w WorklistWithdrawal) ClaimedBeforeStop() bool {
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
	id := uuid.Must(uuid.NewV7())
	request := operations.Request{
		Kind: jobs.KindWithdrawalHold, Subject: operations.Withdrawal(id), Actor: actor.User(userID), Key: key,
		Params: orderParams{order.Amount, order.PhoneNumber, order.Method, rate.FloorTaka(), order.NewBrowser},
	}
	err = postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		s.Operations.Begin(ctx, tx, &request)
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
		if err == nil {
			err = s.Limits.CheckWithdrawal(ctx, tx, userID, id, order.Amount)
		}
		if err != nil {
			return err
		}
		return s.Operations.Enqueue(ctx, tx, &request)
	})
	return s.Operations.Answer(ctx, &request, err)
}

func checkMayWithdraw(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) error {
	all, err := findWithdrawalsHeld.One(ctx, tx, postgres.Args{"user": userID})
	switch {
	case err != nil:
		return err
	case all.Held:
		return fault.New(fault.Forbidden, "withdrawals_on_hold", "Withdrawals from this account are on hold. Please contact support.")
	case all.Stopped:
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
	if err := lockWithdrawalsOf.Run(ctx, tx, postgres.Args{"user": userID}); err != nil {
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
	s.Events.WorklistChanged(tx, realtime.WorklistWithdrawals, id)
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

const balancePage = "/balance"

// RequestCancel requests to return the held amount to the wallet of the owner, who no longer wants
// the withdrawal. A withdrawal that the owner has already cancelled is returned as it is. Codes:
// NotFound for other users, Conflict until fifteen minutes after an admin has claimed the
// withdrawal, if it is handled, or while another operation on it is pending.
func (s *Service) RequestCancel(ctx context.Context, owner, id uuid.UUID, key *idempotency.Key) (operations.Operation, error) {
	request := operations.Request{
		Kind: jobs.KindWithdrawalCancel, Subject: operations.Withdrawal(id), Actor: actor.User(owner), Params: struct{}{}, Key: key,
	}
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		s.Operations.Begin(ctx, tx, &request)
		w, err := lockWithdrawal(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := w.requirePendingOf(owner); err != nil {
			return err
		}
		if w.Claim != nil && s.Clock.Now().Before(w.Claim.Until.Add(sendingFor-worklist.ClaimFor)) {
			return fault.New(fault.Conflict, "withdrawal_claimed", "An admin may have sent this withdrawal. Please try again in a few minutes.")
		}
		return s.Operations.Enqueue(ctx, tx, &request)
	})
	return s.Operations.Answer(ctx, &request, err)
}

// requirePendingOf fails if the user is not the owner (NotFound) or the withdrawal is not pending
// (Conflict). It does not check claims: no row can be claimed while an operation on it is pending.
func (w WorklistWithdrawal) requirePendingOf(owner uuid.UUID) error {
	switch {
	case w.User.ID != owner:
		return errNoWithdrawal()
	case w.Status != WithdrawalPending:
		return errWithdrawalHandled()
	}
	return nil
}

func errWithdrawalHandled() error {
	return fault.New(fault.Conflict, "withdrawal_handled", "This withdrawal has been handled already.")
}

// SettleCancel moves the held amount back to the owner's wallet. If it refuses, it returns a
// *fault.Error and changes nothing.
func (s *Settler) SettleCancel(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
	owner, err := op.UserID()
	if err != nil {
		return nil, err
	}
	id, err := op.SubjectID()
	if err != nil {
		return nil, err
	}
	w, err := lockWithdrawal(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	if err := w.requirePendingOf(owner); err != nil {
		return nil, err
	}
	now := s.Clock.Now()
	err = ledger.Post(ctx, tx, ledger.Transfer{
		Key:   ledger.WithdrawalSettle.Key(id), // shared with the other ways to settle
		Kind:  op.Kind,
		Legs:  []ledger.Leg{ledger.Move(ledger.Hold(id), ledger.Wallet(w.User.ID), w.Amount)},
		Actor: op.Actor,
		At:    now,
	})
	if err != nil {
		return nil, err
	}
	if err := setWithdrawalCancelled.One(ctx, tx, postgres.Args{"id": id, "now": now}); err != nil {
		return nil, err
	}
	return operations.Result{Outcome: OutcomeWithdrawalCancelled}, s.notifyOwner(ctx, tx, w.Withdrawal, catalog.WithdrawalCancelled)
}

// RequireOwner fails with NotFound unless the withdrawal is the user's.
func (s *Service) RequireOwner(ctx context.Context, owner, id uuid.UUID) error {
	w, err := getWithdrawal(ctx, s.DB, id)
	if err == nil && w.User.ID != owner {
		return errNoWithdrawal()
	}
	return err
}

// Confirm ends the hold of a withdrawal after its owner has followed the emailed link or proved the
// second factor, in the transaction that uses up the link or the proof. It is idempotent. Codes:
// NotFound for other users, Conflict if the withdrawal is no longer pending, or is disowned.
func (s *Service) Confirm(ctx context.Context, tx *postgres.Tx, owner, id uuid.UUID) error {
	w, err := lockWithdrawal(ctx, tx, id)
	if err != nil {
		return err
	}
	if err := w.requirePendingOf(owner); err != nil {
		return err
	}
	if w.DisownedAt != nil {
		return fault.New(fault.Conflict, "withdrawal_disowned_by_you",
			"You said that this withdrawal was not yours, so it is never sent. Please cancel it and ask for another.")
	}
	if w.ConfirmedAt != nil {
		return nil
	}
	if err := setWithdrawalConfirmed.One(ctx, tx, postgres.Args{"id": id, "now": s.Clock.Now()}); err != nil {
		return err
	}
	return s.notifyOwner(ctx, tx, w.Withdrawal, catalog.WithdrawalConfirmed)
}

// Disown marks all pending withdrawals of an owner who reports that their account was taken over,
// in the transaction that locks out the intruder. Unless an admin has sent them by then, they are
// never sent: admins reject them, or the owner cancels them. It is idempotent.
func (s *Service) Disown(ctx context.Context, tx *postgres.Tx, owner uuid.UUID) error {
	if err := lockWithdrawalsOf.Run(ctx, tx, postgres.Args{"user": owner}); err != nil {
		return err
	}
	ids, err := setDisowned.Many(ctx, tx, postgres.Args{"user": owner, "now": s.Clock.Now()})
	if err != nil {
		return err
	}
	for _, id := range ids {
		s.Events.WorklistChanged(tx, realtime.WorklistWithdrawals, id)
	}
	if len(ids) > 0 {
		s.Events.WalletUpdated(tx, owner)
	}
	return nil
}

// notifyOwner notifies the owner of a change of a withdrawal and publishes the change to every
// screen that shows it.
func (s *Service) notifyOwner(ctx context.Context, tx *postgres.Tx, w Withdrawal, kind catalog.Kind) error {
	s.Events.WalletUpdated(tx, w.User.ID)
	s.Events.WorklistChanged(tx, realtime.WorklistWithdrawals, w.ID)
	return s.Notices.Notify(ctx, tx, w.User.ID, kind, w.params(), balancePage)
}

// notifyCreated notifies the owner of a new withdrawal, also by email, so that the owner learns of
// one that an intruder has made.
func (s *Service) notifyCreated(ctx context.Context, tx *postgres.Tx, w WorklistWithdrawal) error {
	kind := catalog.WithdrawalRequested
	if w.HeldUntil != nil {
		kind = catalog.WithdrawalHeld
		if !w.Facts.Verified { // no email is sent to an unverified address
			kind = catalog.WithdrawalVerify
		}
	}
	if _, err := s.Jobs.InsertTx(ctx, tx, jobs.Mail{MailKind: string(catalog.MailRequested), SubjectID: w.ID}, nil); err != nil {
		return err
	}
	return s.Notices.Notify(ctx, tx, w.User.ID, kind, w.params(), balancePage)
}

// MailConfirmations enqueues the emails about a user's withdrawals that are on hold. It is called
// when the user has just verified the email address: none was sent before.
func (s *Service) MailConfirmations(ctx context.Context, userID uuid.UUID) error {
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		ids, err := listOnHold.Many(ctx, tx, postgres.Args{"user": userID, "now": s.Clock.Now()})
		if err != nil {
			return err
		}
		for _, id := range ids {
			job := jobs.Mail{MailKind: string(catalog.MailRequested), SubjectID: id}
			if _, err := s.Jobs.InsertTx(ctx, tx, job, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// Mail is the content of an email about a withdrawal.
type Mail struct {
	Owner   uuid.UUID
	Params  catalog.Params
	Reasons []catalog.Kind // why it is on hold; none: it is not
}

// MailOf returns the content of the email about a withdrawal. It is for workers. Code NotFound.
func (s *Settler) MailOf(ctx context.Context, id uuid.UUID) (Mail, error) {
	w, err := getWithdrawal(ctx, s.DB, id)
	if err != nil {
		return Mail{}, err
	}
	l := Mail{Owner: w.User.ID, Params: w.params()}
	if !w.onHold(s.Clock.Now()) {
		return l, nil
	}
	kinds := map[HoldReason]catalog.Kind{
		NewNumber: catalog.HeldNewNumber, PasswordReset: catalog.HeldPasswordReset, NewBrowser: catalog.HeldNewBrowser,
		FactorReset: catalog.HeldFactorReset, EmailChanged: catalog.HeldEmailChanged, FactorAdded: catalog.HeldFactorAdded,
	}
	for _, reason := range w.HeldReasons {
		l.Reasons = append(l.Reasons, kinds[reason])
	}
	return l, nil
}

// params returns the params of notifications and emails about a withdrawal.
func (w Withdrawal) params() catalog.Params {
	p := catalog.Params{
		"amount": w.Amount.String(), "taka": w.ConvertedAmount.String(), "method": w.Method, "phone": w.PhoneNumber,
		"at": w.RequestedAt.Format(time.RFC3339),
	}
	if w.HeldUntil != nil {
		p["until"] = w.HeldUntil.Format(time.RFC3339)
	}
	return p
}
