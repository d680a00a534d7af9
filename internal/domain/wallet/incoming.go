package wallet

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// Delivery is a call of a phone that forwards SMS, as capcom6's SMS Gateway for Android makes it.
type Delivery struct {
	Phone     string // of the operator's phones, as the address of the call names it
	Body      string
	Stamp     string // Unix seconds, signed with the body
	Signature string // hexadecimal HMAC-SHA256 of body and stamp, with the phone's key
}

// StoreDelivery stores a call of a phone for a worker, which verifies it: the api has no key.
func (s *Service) StoreDelivery(ctx context.Context, d Delivery) error {
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		id, err := uuid.NewV7()
		if err != nil {
			return err
		}
		if err := insertDelivery(ctx, tx, id, d, s.Clock.Now()); err != nil {
			return err
		}
		_, err = s.Jobs.InsertTx(ctx, tx, jobs.PhoneDelivery{DeliveryID: id}, nil)
		return err
	})
}

// deliveryKept is for how long a phone may try to deliver an SMS: the app gives up after two days.
const deliveryKept = 72 * time.Hour

// verify reports whether the phone with the key has signed the delivery lately.
func (d Delivery) verify(key string, now time.Time) bool {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(d.Body + d.Stamp))
	given, err := hex.DecodeString(d.Signature)
	seconds, stampErr := strconv.ParseInt(d.Stamp, 10, 64)
	return err == nil && stampErr == nil && key != "" && hmac.Equal(mac.Sum(nil), given) &&
		now.Sub(time.Unix(seconds, 0)) < deliveryKept
}

// forwarded is the body of a delivery.
type forwarded struct {
	Event   string `json:"event"`
	Payload struct {
		Message     string `json:"message"`
		Sender      string `json:"sender"`
		PhoneNumber string `json:"phoneNumber"` // of the sender, in older versions of the app
		SIM         int16  `json:"simNumber"`
	} `json:"payload"`
}

// eventSMS is the event of a received SMS. Any other shows that the phone is alive.
const eventSMS = "sms:received"

// DeliveryOutcome says what became of a delivery. A worker logs the SMS that it does not believe.
type DeliveryOutcome string

// Outcomes of deliveries.
const (
	DeliveryForged   DeliveryOutcome = "forged"   // of an unknown phone, or not signed with its key
	DeliveryIgnored  DeliveryOutcome = "ignored"  // not an SMS of a provider
	DeliveryRepeated DeliveryOutcome = "repeated" // the SMS is known
	DeliveryUnread   DeliveryOutcome = "unread"   // an SMS in unknown words
	DeliveryChained  DeliveryOutcome = "chained"  // a payment that continues the balance of its account
	DeliveryHeld     DeliveryOutcome = "held"     // one that does not
)

// ReadDelivery verifies a delivery, stores the payment that its SMS states and deletes it. Deposits
// that the payment may prove are matched by jobs of their own. It can be repeated.
func (s *Settler) ReadDelivery(ctx context.Context, id uuid.UUID) (outcome DeliveryOutcome, err error) {
	err = postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		d, found, err := takeDelivery.Find(ctx, tx, postgres.Args{"id": id})
		if err != nil || !found {
			outcome = DeliveryRepeated
			return err
		}
		now := s.Clock.Now()
		if !d.verify(s.Phones[d.Phone], now) {
			outcome = DeliveryForged
			return nil
		}
		outcome, err = s.readForwarded(ctx, tx, d, now)
		return err
	})
	return outcome, err
}

func (s *Settler) readForwarded(ctx context.Context, tx *postgres.Tx, d Delivery, now time.Time) (DeliveryOutcome, error) {
	if err := setHeard.Run(ctx, tx, postgres.Args{"phone": d.Phone, "now": now}); err != nil {
		return "", err
	}
	var f forwarded
	if err := json.Unmarshal([]byte(d.Body), &f); err != nil || f.Event != eventSMS {
		return DeliveryIgnored, nil //nolint:nilerr // the phone has signed something else
	}
	from := f.Payload.Sender
	if from == "" {
		from = f.Payload.PhoneNumber
	}
	method, known := senders[strings.ToLower(strings.TrimSpace(from))]
	if !known {
		return DeliveryIgnored, nil
	}
	r, err := lockReceiver(ctx, tx, d.Phone, f.Payload.SIM, method, now)
	if err != nil {
		return "", err
	}
	return s.storePayment(ctx, tx, r, f.Payload.Message, now)
}

// storePayment stores what an SMS to the account states, unless it is known.
func (s *Settler) storePayment(ctx context.Context, tx *postgres.Tx, r Receiver, text string, now time.Time) (DeliveryOutcome, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return "", err
	}
	stated, understood := readSMS(r.Method, text)
	// A report under way is waited for, so that its deposit is seen here, or this payment there.
	if err := lockTransaction.Run(ctx, tx, postgres.Args{"transaction": stated.TransactionID}); err != nil {
		return "", err
	}
	inserted, err := insertPayment(ctx, tx, id, r.ID, text, stated, understood, now)
	switch {
	case err != nil:
		return "", err
	case !inserted:
		return DeliveryRepeated, nil
	}
	s.Events.WorklistChanged(tx, realtime.WorklistPayments, r.ID)
	if !understood {
		return DeliveryUnread, nil
	}
	after, chained, err := s.chain(ctx, tx, r, now)
	if err != nil {
		return "", err
	}
	outcome := DeliveryHeld
	if slices.Contains(chained, id) {
		outcome = DeliveryChained
	}
	return outcome, s.matchAll(ctx, tx, r.ID, append(chained, id), r.BrokenAt != nil && after.BrokenAt == nil)
}

// Receiver is an account with a provider that payments go to. The SMS to it are believed as long as
// each states the balance that follows from the one before: the name of a sender can be forged, and
// an SMS may be lost.
type Receiver struct {
	ID       uuid.UUID
	Phone    string
	SIM      int16
	Method   string
	Balance  *money.Poisha // after the last SMS; nil: no admin has entered one yet
	HeardAt  time.Time
	BrokenAt *time.Time // since when SMS are held, as they do not continue the balance; nil: they do
}

// silentAfter is how long after a phone was last heard of it counts as out of order: it reports
// every minute.
const silentAfter = 5 * time.Minute

// Works reports whether payments to the account are credited without an admin.
func (r Receiver) Works(now time.Time) bool {
	return r.BrokenAt == nil && now.Sub(r.HeardAt) < silentAfter
}

// Receivers returns the accounts that payments go to, for admins.
func (s *Service) Receivers(ctx context.Context) ([]Receiver, error) {
	return listReceivers.Many(ctx, s.DB, nil)
}

// GetReceiver returns one of the accounts to an admin. Code NotFound.
func (s *Service) GetReceiver(ctx context.Context, id uuid.UUID) (Receiver, error) {
	return getReceiver(ctx, s.DB, id)
}

// Automatic returns the payment methods whose deposits are credited without an admin now.
func (s *Service) Automatic(ctx context.Context) ([]string, error) {
	return automaticMethods.Many(ctx, s.DB, postgres.Args{"since": s.Clock.Now().Add(-silentAfter)})
}

// ListedPayment is what an SMS says of an account, for admins. The transaction ID is missing: who
// knows one could report the payment of somebody else.
type ListedPayment struct {
	ID          uuid.UUID
	Receiver    Receiver
	State       string // credited, sent, unclaimed, left, own, or a PaymentState but chained
	ForwardedAt time.Time
	Text        *string // of an SMS that is not understood; then the rest is missing
	Outgoing    *bool
	Amount      *money.Poisha
	Party       *string
	At          *time.Time
	User        *user.Ref // whose deposit or withdrawal
}

// PaymentQuery selects payments.
type PaymentQuery string

// Which payments an admin looks for.
const (
	AllPayments       PaymentQuery = ""
	UnclaimedPayments PaymentQuery = "unclaimed" // that nobody was credited for
	LeftPayments      PaymentQuery = "left"      // from us, without a withdrawal
	UnreadPayments    PaymentQuery = "unread"
)

// Payments returns the payments that an admin looks for, newest first, and their number.
func (s *Service) Payments(ctx context.Context, query PaymentQuery, page postgres.Page) ([]ListedPayment, int, error) {
	return listPayments(ctx, s.DB, query, page)
}

// chain believes the held SMS that continue the balance of the account, in their order, whatever
// order they came in, and returns the account after that. If any is left, the account is broken:
// nothing is credited without an admin until the missing SMS comes or an admin enters the balance.
func (s *Settler) chain(ctx context.Context, tx *postgres.Tx, r Receiver, now time.Time) (after Receiver, chained []uuid.UUID, err error) {
	held, err := listHeld.Many(ctx, tx, postgres.Args{"receiver": r.ID})
	if err != nil {
		return r, nil, err
	}
	if r.Balance != nil {
		var balance money.Poisha
		chained, balance, held = follow(held, *r.Balance)
		r.Balance = &balance
	}
	breaks := len(held) > 0 && r.BrokenAt == nil
	switch {
	case len(held) == 0 && r.Balance != nil:
		r.BrokenAt = nil
	case breaks:
		r.BrokenAt = &now
	}
	if err := setChained(ctx, tx, r, chained); err != nil || !breaks {
		return r, chained, err
	}
	_, err = s.Jobs.InsertTx(ctx, tx, jobs.ReceiverNotice{ReceiverID: r.ID, BrokenAt: now},
		&river.InsertOpts{ScheduledAt: clock.System{}.Now().Add(orderTime)})
	return r, chained, err
}

// follow returns the payments that continue the balance, in their order, the balance after them,
// and the other payments.
func follow(held []heldPayment, balance money.Poisha) (ids []uuid.UUID, after money.Poisha, rest []heldPayment) {
	for i := nextInChain(held, balance); i >= 0; i = nextInChain(held, balance) {
		ids, balance = append(ids, held[i].ID), held[i].Balance
		held = append(held[:i:i], held[i+1:]...)
	}
	return ids, balance, held
}

// nextInChain returns the index of the first payment before which the account had the balance, -1
// without one.
func nextInChain(held []heldPayment, balance money.Poisha) int {
	for i, p := range held {
		if p.statement().before() == balance {
			return i
		}
	}
	return -1
}

// orderTime is how long SMS that a phone forwards in another order than they came may break an
// account without a notice.
const orderTime = time.Minute

// AnnounceBroken notifies the admins of an account whose SMS have not added up since the time.
func (s *Settler) AnnounceBroken(ctx context.Context, id uuid.UUID, since time.Time) error {
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		r, err := getReceiver(ctx, tx, id)
		if err != nil || r.BrokenAt == nil || !r.BrokenAt.Equal(since) {
			return err
		}
		_, err = s.Jobs.InsertTx(ctx, tx, jobs.AdminNotice{
			NoticeKind: string(catalog.AdminReceiverBroken),
			Params:     catalog.Params{"method": r.Method, "phone": r.Phone},
			SubjectID:  r.ID,
			Link:       "/admin/payments",
		}, nil)
		return err
	})
}

// matchAll has the deposits matched that report one of the payments to the account, or any of them
// if it works again, and the payments that are believed from now on: those with the code of a user
// and those that have left the account, and if it works again, all that may have paid out a
// withdrawal.
func (s *Settler) matchAll(ctx context.Context, tx *postgres.Tx, receiver uuid.UUID, payments []uuid.UUID, works bool) error {
	args := postgres.Args{"receiver": receiver, "payments": payments, "all": works}
	for _, due := range []struct {
		find postgres.QueryStatement[uuid.UUID]
		job  func(id uuid.UUID) river.JobArgs
	}{
		{withPayment, func(id uuid.UUID) river.JobArgs { return jobs.DepositMatch{DepositID: id} }},
		{unmatched, func(id uuid.UUID) river.JobArgs { return jobs.PaymentMatch{PaymentID: id} }},
	} {
		ids, err := due.find.Many(ctx, tx, args)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if _, err := s.Jobs.InsertTx(ctx, tx, due.job(id), nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// MatchPayment makes the deposit of a payment with a user's code, or looks for the withdrawal that
// a payment has paid out. It can be repeated.
func (s *Settler) MatchPayment(ctx context.Context, id uuid.UUID) error {
	outgoing, err := isOutgoing.One(ctx, s.DB, postgres.Args{"payment": id})
	if err != nil {
		return err
	}
	if outgoing {
		return s.matchPayout(ctx, id)
	}
	return s.claimPayment(ctx, id)
}

// Payment is a movement on one of our accounts, as an SMS or the provider of a checkout states it.
type Payment struct {
	ID            uuid.UUID
	State         PaymentState
	Method        string
	Outgoing      bool
	Amount        money.Poisha
	TransactionID string // for workers only
	Party         string // the payer's number or name
	At            time.Time
	Broken        bool          // the account's SMS do not add up now
	PayerID       *uuid.UUID    // the user whose code is the reference; nil: it is nobody's
	Checkout      *paidCheckout // nil: an SMS states it
}

// paidCheckout is what the provider was asked for.
type paidCheckout struct {
	UserID uuid.UUID
	Amount money.Poisha
}

// Evidence is what an SMS or the provider states of a payment that a deposit reports, for admins.
type Evidence struct {
	State  PaymentState
	Amount money.Poisha
	Party  string // the payer's number or name
	At     time.Time
	Broken bool // the SMS to the account do not add up now
	Code   bool // the reference is the user's code, from which a worker has made the deposit
}

// PaymentState is how far an SMS is believed.
type PaymentState string

// States of payments. Held ones are credited by admins only.
const (
	PaymentUnread  PaymentState = "unread"  // its words are not understood
	PaymentHeld    PaymentState = "held"    // does not continue the balance of the account, so far
	PaymentChained PaymentState = "chained" // does
	PaymentIgnored PaymentState = "ignored" // was held when an admin entered the balance
	PaymentPaid    PaymentState = "paid"    // on the provider's page, as the provider states
)

// MatchDeposit notes the payment that a pending deposit reports, and requests its credit if the SMS
// proves it (automaticCredit). It can be repeated, and has to be after a Conflict: an operation is
// pending, which may be refused because the SMS did not add up when it was settled.
func (s *Settler) MatchDeposit(ctx context.Context, id uuid.UUID) error {
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		_, err := s.match(ctx, tx, id)
		return err
	})
}

// match reports whether a credit is requested. Code Conflict while an operation is pending.
func (s *Settler) match(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (requested bool, err error) {
	d, err := lockDeposit(ctx, tx, id)
	if err != nil || d.Status == DepositFailed {
		return false, err
	}
	// An SMS under way is waited for: it may decide whether the payment is believed.
	if err := shareReceiver.Run(ctx, tx, postgres.Args{"transaction": d.TransactionID}); err != nil {
		return false, err
	}
	p, found, err := findPayment(ctx, tx, d.TransactionID)
	if err != nil || !found {
		return false, err
	}
	noted := false
	if p.Checkout == nil {
		noted, err = setPayment.Any(ctx, tx, postgres.Args{"id": d.ID, "payment": p.ID})
	}
	if err != nil {
		return false, err
	}
	if noted {
		s.Events.WorklistChanged(tx, realtime.WorklistDeposits, d.ID)
	}
	if d.Status != DepositPending { // an admin has credited it before the SMS came
		return false, nil
	}
	credit, err := s.automaticCredit(ctx, tx, d, p)
	if err != nil || credit == nil {
		return false, err
	}
	request := operations.Request{
		Kind: jobs.KindDepositApprove, Subject: operations.Deposit(d.ID), Actor: actor.System(), Params: *credit,
	}
	if err := checkNotBusy(ctx, tx, request.Subject); err != nil {
		return false, err
	}
	s.Operations.Begin(ctx, tx, &request)
	return true, s.Operations.Enqueue(ctx, tx, &request)
}

// matchSlack is how long before its report a payment may have been made to be credited without an
// admin.
const matchSlack = 72 * time.Hour

// automaticCredit returns what a payment proves of a deposit that the transaction has locked, nil
// if an admin has to decide: because the SMS does not continue the balance of its account, another
// user has reported the payment, too, or has their code in it, an admin is at it, the user is
// disabled, the amount is far from the reported one, or more than AutoCreditMax would be credited
// to the user in a day.
func (s *Settler) automaticCredit(ctx context.Context, tx *postgres.Tx, d WorklistDeposit, p Payment) (*approvalParams, error) {
	now := s.Clock.Now()
	proven := (p.State == PaymentChained || p.State == PaymentPaid) && !p.Broken && !p.Outgoing &&
		p.TransactionID == d.TransactionID && p.Method == d.Method
	switch {
	case !proven, p.Checkout != nil && *p.Checkout != paidCheckout{d.User.ID, p.Amount}, p.PayerID != nil && *p.PayerID != d.User.ID:
		return nil, nil
	case d.Disputed, d.Proposal != nil, d.Claim != nil && now.Before(d.Claim.Until), p.At.Before(d.CreatedAt.Add(-matchSlack)):
		return nil, nil
	}
	w, err := s.worthNow(ctx, tx, d.Deposit)
	if err != nil {
		return nil, err
	}
	amount := money.Worth(p.Amount, w.rate)
	if difference := amount - d.ClaimedAmount; max(difference, -difference)*100 > d.ClaimedAmount*maxUnexplained || amount <= 0 {
		return nil, nil
	}
	of, err := depositor.One(ctx, tx, postgres.Args{"user": d.User.ID, "since": now.Add(-24 * time.Hour)})
	if err != nil || of.Stopped || p.Checkout == nil && of.Credited+amount > s.AutoCreditMax {
		return nil, err
	}
	return &approvalParams{Amount: amount, PaymentID: &p.ID}, nil
}

// settleAutomatic credits a deposit that the transaction has locked and a payment proves. It does
// not rely on the request: the api could have written it.
func (s *Settler) settleAutomatic(
	ctx context.Context, tx *postgres.Tx, op operations.Operation, d WorklistDeposit, p approvalParams,
) (any, error) {
	if err := d.request().CheckWaits(); err != nil {
		return nil, err
	}
	if err := checkNotCredited(ctx, tx, d.Deposit); err != nil {
		return nil, err
	}
	payment, found, err := findPayment(ctx, tx, d.TransactionID)
	if err != nil {
		return nil, err
	}
	var credit *approvalParams
	if found {
		if credit, err = s.automaticCredit(ctx, tx, d, payment); err != nil {
			return nil, err
		}
	}
	if credit == nil || credit.Amount != p.Amount || *credit.PaymentID != *p.PaymentID {
		return nil, errUnproven()
	}
	w, err := s.worthNow(ctx, tx, d.Deposit)
	if err != nil {
		return nil, err
	}
	if err := checkRate(ctx, tx, d.Rate, true, d.CreatedAt); err != nil {
		return nil, err
	}
	d.PaidAmount = &payment.Amount
	return operations.Result{Outcome: OutcomeDepositApproved}, s.credit(ctx, tx, d, op, p, w)
}

func errNoReceiver() error {
	return fault.New(fault.NotFound, "receiver_not_found", "There is no such account.")
}

// Anchor has the next SMS to an account continue the balance that an admin sees in the provider's
// app. A worker does so. Codes: NotFound, Invalid.
func (s *Service) Anchor(ctx context.Context, admin, receiver uuid.UUID, balance money.Poisha) error {
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		r, err := getReceiver(ctx, tx, receiver)
		if err != nil {
			return err
		}
		if balance < 0 || balance > maxTaka {
			return fault.Field("balance", "amount_invalid", textEnterValid)
		}
		details := map[string]any{"phone": r.Phone, "method": r.Method, "balance": balance}
		if err := s.record(ctx, tx, actor.User(admin), "receiver.anchor", "receiver:"+r.ID.String(), details); err != nil {
			return err
		}
		_, err = s.Jobs.InsertTx(ctx, tx, jobs.ReceiverAnchor{
			ReceiverID: r.ID, Known: (*int64)(r.Balance), Balance: int64(balance), AdminID: admin,
		}, nil)
		return err
	})
}

// Anchor sets the balance of an account for an admin, unless an SMS has changed it since they have
// entered it. The held SMS that lead to it are believed, since the last of them states it, and
// those that continue it, which have come since the admin looked; the others stay with the admins.
// It can be repeated.
func (s *Settler) Anchor(ctx context.Context, a jobs.ReceiverAnchor) error {
	balance := money.Poisha(a.Balance)
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		is, err := isAdmin.One(ctx, tx, postgres.Args{"user": a.AdminID})
		if err != nil || !is { // any more
			return err
		}
		if err := lockRow(ctx, tx, "wallet.lock_receiver", `select from receivers where id = @id for no key update`, a.ReceiverID); err != nil {
			return err
		}
		r, err := getReceiver(ctx, tx, a.ReceiverID)
		if err != nil || !equal((*int64)(r.Balance), a.Known) {
			return err
		}
		held, err := listHeld.Many(ctx, tx, postgres.Args{"receiver": r.ID})
		if err != nil {
			return err
		}
		earlier, held := leadingTo(held, balance)
		later, after, _ := follow(held, balance)
		r.Balance, r.BrokenAt = &after, nil
		chained := append(earlier, later...)
		if err := setChained(ctx, tx, r, chained); err != nil {
			return err
		}
		if err := ignoreHeld.Run(ctx, tx, postgres.Args{"receiver": r.ID}); err != nil {
			return err
		}
		if err := setEntered.Run(ctx, tx, postgres.Args{"id": r.ID}); err != nil {
			return err
		}
		s.Events.WorklistChanged(tx, realtime.WorklistPayments, r.ID)
		return s.matchAll(ctx, tx, r.ID, chained, true)
	})
}

// equal reports whether both are nil or have the same value.
func equal[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// leadingTo returns the payments that form a chain which ends with the balance, and the others.
func leadingTo(held []heldPayment, balance money.Poisha) (ids []uuid.UUID, rest []heldPayment) {
	for i := len(held) - 1; i >= 0; i-- {
		if held[i].Balance == balance {
			ids = append(ids, held[i].ID)
			balance = held[i].statement().before()
			held = append(held[:i:i], held[i+1:]...)
			i = len(held)
		}
	}
	return ids, held
}
