package wallet

import (
	"bytes"
	"context"
	"crypto/rand"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

// Codes of payments are typed into payment apps. They have no lookalikes and no vowels, and at
// least one letter and one digit, so that no other reference is taken for one.
const (
	codeDigits   = "23456789"
	codeLetters  = "BCDFGHJKMNPQRSTVWXZ"
	codeAlphabet = codeDigits + codeLetters
	codeLength   = 6
	codeAttempts = 5
)

func newPaymentCode() string {
	code := make([]byte, codeLength)
	for !bytes.ContainsAny(code, codeDigits) || !bytes.ContainsAny(code, codeLetters) {
		_, _ = rand.Read(code) // never fails
		for i, b := range code {
			code[i] = codeAlphabet[int(b)%len(codeAlphabet)]
		}
	}
	return string(code)
}

// PaymentCode returns a user's code. A payment with it as its reference needs no report. The ones
// of the next day are for the deal, if one is given, and pay it if it still has the terms; 0: they
// do not. The caller has checked that the user is the buyer. Code Unauthenticated for a closed
// account.
func (s *Service) PaymentCode(ctx context.Context, userID uuid.UUID, dealID *uuid.UUID, terms int) (string, error) {
	now := s.Clock.Now()
	shown, err := s.ShownReceivers(ctx)
	if err != nil {
		return "", err
	}
	receivers := map[string]string{}
	for _, r := range shown {
		receivers[r.Method] = r.Number
	}
	for range codeAttempts {
		code, found, err := setAim.Find(ctx, s.DB, postgres.Args{
			"user": userID, "deal": dealID, "terms": terms, "now": now, "receivers": receivers,
		})
		if err != nil || found {
			return code, err
		}
		if err := insertPaymentCode.Run(ctx, s.DB, postgres.Args{"code": newPaymentCode(), "user": userID, "now": now}); err != nil {
			return "", err
		}
	}
	return "", errLoginNeeded()
}

// aimKept is for how long payments are for the deal that a user has asked for their code for.
const aimKept = 24 * time.Hour

// claimPayment makes the deposit of a payment whose reference is a user's code, unless the user has
// reported the payment.
func (s *Settler) claimPayment(ctx context.Context, id uuid.UUID) error {
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		p, found, err := findReferred.Find(ctx, tx, postgres.Args{"payment": id, "since": s.Clock.Now().Add(-aimKept)})
		if err != nil || !found {
			return err
		}
		if err := lockTransaction.Run(ctx, tx, postgres.Args{"transaction": p.TransactionID}); err != nil {
			return err
		}
		settled, err := isClaimed.One(ctx, tx, postgres.Args{"user": p.UserID, "transaction": p.TransactionID})
		if err != nil || settled {
			return err
		}
		rate, err := currentRate(ctx, tx)
		if err != nil {
			return err
		}
		taka := rate.CeilTaka()
		amount := money.Worth(p.Amount, taka)
		if amount <= 0 || amount > maxAmount {
			return nil // an admin sees the payment
		}
		deposit, err := uuid.NewV7()
		if err != nil {
			return err
		}
		report := Report{
			Amount: amount, TransactionID: p.TransactionID, Method: p.Method, DealID: p.DealID, Terms: p.Terms, Receiver: p.Receiver,
		}
		if err := s.insert(ctx, tx, p.UserID, deposit, report, taka); err != nil {
			return err
		}
		return setUnreported.Run(ctx, tx, postgres.Args{"id": deposit})
	})
}

// DealPayment is the payment of a deal with a deposit that was made for it.
type DealPayment struct {
	DepositID uuid.UUID
	UserID    uuid.UUID
	DealID    uuid.UUID
	Terms     int // that the user has read
}

// DealToPay returns the payment that a credited deposit was made for, if it is still to be made.
func (s *Settler) DealToPay(ctx context.Context, deposit uuid.UUID) (DealPayment, bool, error) {
	return findDealPayment.Find(ctx, s.DB, postgres.Args{"id": deposit})
}

// unpaidKinds are the notices of deals that were not paid, by the reason of the refusal. Any other
// reason has DepositDealUnpaid.
var unpaidKinds = map[string]catalog.Kind{
	"balance_too_low":   catalog.DepositDealShort,
	"counteroffer_open": catalog.DepositDealTerms,
	"limit_paid":        catalog.DepositDealLimit,
	"limit_per_deal":    catalog.DepositDealLimit,
	"terms_changed":     catalog.DepositDealTerms,
}

// KeepForWallet leaves the money of a deposit in the wallet, since the payment of its deal was
// refused, and notifies the user of the reason. It can be repeated.
func (s *Settler) KeepForWallet(ctx context.Context, p DealPayment, refusal *fault.Error) error {
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		dropped, err := dropTerms.Any(ctx, tx, postgres.Args{"id": p.DepositID})
		if err != nil || !dropped {
			return err
		}
		d, err := getDeposit(ctx, tx, p.DepositID)
		if err != nil {
			return err
		}
		kind, known := unpaidKinds[refusal.Reason]
		if !known {
			kind = catalog.DepositDealUnpaid
		}
		s.Events.WalletUpdated(tx, p.UserID)
		return s.Notices.Notify(ctx, tx, p.UserID, kind, catalog.Params{
			"amount": d.Amount.String(), "missing": money.Cents(refusal.Shortfall).String(),
			catalog.TitleParam: catalog.DealTitle(d.DealDescription),
		}, "/deal/"+p.DealID.String())
	})
}
