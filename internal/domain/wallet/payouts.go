package wallet

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// payout is a payment that left one of our accounts, as an SMS states it.
type payout struct {
	Payment
	Number string // of the receiver, as withdrawals have it; "": the SMS has none
}

// pays reports whether the payout is that of the withdrawal.
func (p payout) pays(w Withdrawal) bool {
	return p.Method == w.Method && p.Amount == w.ConvertedAmount && p.Number == w.PhoneNumber
}

// matchPayout requests to book the withdrawal that a payment has paid out, on behalf of the admin
// who has claimed it. If that is booked already, it notes the payment. If there is none, or it may
// not be sent, it notifies the admins: money has left. It has to be repeated once a broken account
// works again.
func (s *Settler) matchPayout(ctx context.Context, id uuid.UUID) error {
	var p payout
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		var err error
		if p, err = getPayout(ctx, tx, id); err != nil || p.State != PaymentChained {
			return err
		}
		withdrawal, found, err := payoutMatch.Find(ctx, tx, postgres.Args{"payment": id, "withdrawal": nil})
		if err == nil && !found {
			err = errUnproven()
		}
		if err != nil || p.Broken {
			return err
		}
		return s.requestPayout(ctx, tx, p, withdrawal)
	})
	// While an admin books the withdrawal, the job is tried again.
	if refusal := fault.As(err); refusal == nil || refusal.Reason == fault.As(operations.ErrBusy()).Reason {
		return err
	}
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error { return s.announceLeft(ctx, tx, p) })
}

// requestPayout requests to book the withdrawal of a payment, or notes the payment if it is booked.
// A fault says that it may not be booked.
func (s *Settler) requestPayout(ctx context.Context, tx *postgres.Tx, p payout, id uuid.UUID) error {
	seen, err := getWithdrawal(ctx, tx, id)
	switch {
	case err != nil:
		return err
	case seen.Status != WithdrawalPending:
		return s.notePayout(ctx, tx, p, seen)
	case seen.Claim == nil:
		return errUnproven()
	}
	admin := seen.Claim.Admin.ID
	request := operations.Request{
		Kind: jobs.KindWithdrawalSend, Subject: operations.Withdrawal(id), Actor: actor.User(admin),
		Params: payoutParams{TransactionID: p.TransactionID, PaymentID: &p.ID},
	}
	s.Operations.Begin(ctx, tx, &request) // before the row is locked, as in every request
	w, err := lockWithdrawal(ctx, tx, id)
	if err == nil && (w.Status != seen.Status || w.Claim != nil && w.Claim.Admin.ID != admin) {
		err = errChanged
	}
	if err == nil {
		err = s.checkPayout(ctx, tx, p, w)
	}
	if err != nil {
		return err
	}
	return s.Operations.Enqueue(ctx, tx, &request)
}

// errChanged has a job tried again.
var errChanged = errors.New("wallet: the withdrawal has changed meanwhile")

// notePayout notes the payment of a withdrawal that was booked before its SMS came.
func (s *Settler) notePayout(ctx context.Context, tx *postgres.Tx, p payout, w WorklistWithdrawal) error {
	noted, err := setPayout.Any(ctx, tx, postgres.Args{"id": w.ID, "payment": p.ID})
	if err == nil && !noted {
		err = errChanged
	}
	s.Events.WorklistChanged(tx, realtime.WorklistPayments, p.ID)
	return err
}

// announceLeft notifies the admins of a payment that no withdrawal explains, unless one does by
// now or it went to another of our own accounts.
func (s *Settler) announceLeft(ctx context.Context, tx *postgres.Tx, p payout) error {
	left, err := isUnbooked.One(ctx, tx, postgres.Args{"payment": p.ID})
	if err != nil || !left {
		return err
	}
	_, err = s.Jobs.InsertTx(ctx, tx, jobs.AdminNotice{
		NoticeKind: string(catalog.AdminMoneyLeft),
		Params:     catalog.Params{"method": p.Method, "taka": p.Amount.String(), "phone": p.Party},
		SubjectID:  p.ID,
		Link:       "/admin/payments?tab=left",
	}, nil)
	return err
}

// checkPayout checks that a payment proves that a withdrawal was sent, which the transaction has
// locked, and that the admin who has claimed it may book it.
func (s *Settler) checkPayout(ctx context.Context, tx *postgres.Tx, p payout, w WorklistWithdrawal) error {
	_, proven, err := payoutMatch.Find(ctx, tx, postgres.Args{"payment": p.ID, "withdrawal": w.ID})
	if err != nil {
		return err
	}
	if !proven || p.Broken || w.Claim == nil {
		return errUnproven()
	}
	is, err := isAdmin.One(ctx, tx, postgres.Args{"user": w.Claim.Admin.ID})
	if err != nil {
		return err
	}
	if !is {
		return errUnproven()
	}
	if err := w.request().checkSettle(w.Claim.Admin.ID); err != nil {
		return err
	}
	if err := w.checkSendable(w.Claim.Admin.ID, p.TransactionID, s.Clock.Now()); err != nil {
		return err
	}
	return checkTransactionUnused(ctx, tx, p.TransactionID)
}

func errUnproven() error {
	return fault.New(fault.Conflict, "payment_unproven", "An admin has to check this payment.")
}

// payoutOf returns the ID of the payment that an SMS states of a withdrawal that is being booked,
// nil if none does. What an SMS has requested must be proven: the api could have written it. If an
// admin has typed the transaction ID of another payment, it is a Conflict, unless they have
// confirmed it.
func (s *Settler) payoutOf(
	ctx context.Context, tx *postgres.Tx, op operations.Operation, w WorklistWithdrawal, params payoutParams,
) (*uuid.UUID, error) {
	switch {
	case params.PaymentID != nil:
		p, err := getPayout(ctx, tx, *params.PaymentID)
		if err == nil && (p.TransactionID != params.TransactionID || w.Claim == nil || !op.Actor.Is(w.Claim.Admin.ID)) {
			err = errUnproven()
		}
		if err == nil {
			err = s.checkPayout(ctx, tx, p, w)
		}
		return &p.ID, err
	case params.TransactionID == "":
		id, found, err := matchOfWithdrawal.Find(ctx, tx, postgres.Args{"withdrawal": w.ID, "except": nil})
		if !found {
			return nil, err
		}
		return &id, err
	}
	p, found, err := findPayout(ctx, tx, params.TransactionID)
	if err != nil || !found {
		return nil, err
	}
	if !p.pays(w.Withdrawal) && !params.Differs {
		return nil, fault.Newf(fault.Conflict, "payout_differs",
			"The SMS with this transaction ID says that ৳{taka} went to {number} at {time}.",
			fault.Params{"taka": p.Amount, "number": p.Party, "time": clock.Moment(p.At)})
	}
	return &p.ID, s.release(ctx, tx, p.ID)
}

// release takes a payment whose transaction ID an admin has typed from the withdrawal that it is
// noted for, which was booked without an ID, and has another payment matched with that one.
func (s *Settler) release(ctx context.Context, tx *postgres.Tx, payment uuid.UUID) error {
	from, found, err := releasePayout.Find(ctx, tx, postgres.Args{"payment": payment})
	if err != nil || !found {
		return err
	}
	other, found, err := matchOfWithdrawal.Find(ctx, tx, postgres.Args{"withdrawal": from, "except": payment})
	if err != nil || !found {
		return err
	}
	_, err = s.Jobs.InsertTx(ctx, tx, jobs.PaymentMatch{PaymentID: other}, nil)
	return err
}

// Drift compares the money in the accounts of a payment method, as their SMS state it, with the
// books. Balance is the sum of all other amounts.
type Drift struct {
	Method      string
	Unknown     int          // accounts without a balance, which are left out
	Works       bool         // all SMS add up
	Balance     money.Poisha // in the accounts
	Booked      money.Poisha // deposits credited less withdrawals sent
	Opening     money.Poisha // was there when the first balances were entered
	Entered     money.Poisha // was not explained when admins entered other balances since
	Unclaimed   money.Poisha // paid to us and credited to nobody
	Sent        money.Poisha // left without a withdrawal; below zero
	Fees        money.Poisha // of the provider; below zero
	Other       money.Poisha // by which bookings differ from their payments
	Held        money.Poisha // booked with SMS that are held
	Unexplained money.Poisha
}

// Drift returns the drift of each payment method whose phones forward SMS, for admins.
func (s *Service) Drift(ctx context.Context) ([]Drift, error) { return listDrift.Many(ctx, s.DB, nil) }
