package wallet

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/checkout"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/queue/jobs"
)

// Provider is a payment provider with a page on which users pay. *checkout.Bkash implements it.
type Provider interface {
	Token(ctx context.Context) (token string, valid time.Duration, err error)
	Create(ctx context.Context, token string, o checkout.Order) (checkout.Page, error)
	Execute(ctx context.Context, token, ref string) (checkout.Outcome, error)
	Lookup(ctx context.Context, token, ref string) (checkout.Outcome, error)
}

// Checkout is what a user pays on the provider's page (docs/rules.md#deposit-checkout). Once it is
// paid, it becomes a deposit with the same ID.
type Checkout struct {
	ID              uuid.UUID
	UserID          uuid.UUID
	DealID          *uuid.UUID
	DealTerms       *int // as of a deposit
	Amount          money.Cents
	Rate            int64 // whole taka a dollar
	ConvertedAmount money.Poisha
	State           CheckoutState
	Failure         CheckoutFailure // of a failed one
	URL             *string         // of the page; nil: there is none yet
	Ref             *string         // with the provider
	CreatedAt       time.Time
}

// CheckoutState is the state of a checkout.
type CheckoutState string

// States of checkouts.
const (
	CheckoutStarting  CheckoutState = "starting" // has no page yet
	CheckoutOpen      CheckoutState = "open"
	CheckoutExecuting CheckoutState = "executing" // the provider was asked to take the payment, once
	CheckoutPaid      CheckoutState = "paid"
	CheckoutFailed    CheckoutState = "failed"
)

// CheckoutFailure says why nothing was paid.
type CheckoutFailure string

// Reasons why nothing was paid.
const (
	CheckoutUnavailable CheckoutFailure = "unavailable" // the provider made no page
	CheckoutCancelled   CheckoutFailure = "cancelled"   // by the payer
	CheckoutDeclined    CheckoutFailure = "declined"    // by the provider
	CheckoutExpired     CheckoutFailure = "expired"
)

// Returned says with what the provider has sent a payer back. The payer may have made it up.
type Returned string

// What payers come back with.
const (
	ReturnedSuccess   Returned = "success"
	ReturnedFailure   Returned = "failure"
	ReturnedCancelled Returned = "cancel"
)

// Times of checkouts.
const (
	providerSilent = 5 * time.Minute  // workers report every minute
	providerPause  = time.Minute      // after a failed call
	startingTime   = 2 * time.Minute  // to get a page
	returnTime     = 2 * time.Minute  // for the payer to come back, before the provider is asked
	checkoutTime   = 24 * time.Hour   // for which the provider keeps its page
	tokenSlack     = 5 * time.Minute  // for which a token is valid at least when it is used
	tokenTime      = 40 * time.Second // longer than a call for a token takes
	tokenWait      = 5 * time.Second  // of a payer, for a token
	tokenHour      = time.Hour + time.Minute
)

func errNoCheckout() error {
	return fault.New(fault.NotFound, "checkout_not_found", "There is no such payment.")
}

// TakesCheckouts reports whether users can pay on the page of bKash now.
func (s *Service) TakesCheckouts(ctx context.Context) (bool, error) {
	now := s.Clock.Now()
	return takesCheckouts.One(ctx, s.DB, postgres.Args{"now": now, "since": now.Add(-providerSilent)})
}

// StartCheckout asks for a page on which the user pays the amount; a worker gets it. Codes:
// Invalid, RateChanged if report.Taka is not what the amount costs, Unavailable without an exchange
// rate or while the provider takes no payments, IdempotencyMismatch.
func (s *Service) StartCheckout(ctx context.Context, userID uuid.UUID, report Report, key *idempotency.Key) (Checkout, error) {
	switch {
	case report.Amount <= 0:
		return Checkout{}, fault.Field("amount", "amount_invalid", textEnterValid)
	case report.Amount > maxAmount:
		return Checkout{}, fault.Field("amount", "amount_too_large", textMaximum)
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Checkout{}, err
	}
	made, err := idempotency.Create(ctx, s.DB, key, id, s.Clock.Now(), func(tx *postgres.Tx) error {
		return s.startCheckout(ctx, tx, userID, id, report)
	})
	if err != nil {
		return Checkout{}, err
	}
	return s.OwnCheckout(ctx, userID, made)
}

func (s *Service) startCheckout(ctx context.Context, tx *postgres.Tx, userID, id uuid.UUID, report Report) error {
	takes, err := s.TakesCheckouts(ctx)
	if err == nil && !takes {
		err = fault.New(fault.Unavailable, "checkout_unavailable", "bKash takes no payments here at the moment. Send the money yourself.")
	}
	if err != nil {
		return err
	}
	rate, converted, err := price(ctx, tx, report)
	if err != nil {
		return err
	}
	if err := insertCheckout(ctx, tx, id, userID, report, rate, converted, s.Clock.Now()); err != nil {
		return err
	}
	return s.lookAtCheckout(ctx, tx, id, "")
}

func (s *Service) lookAtCheckout(ctx context.Context, tx *postgres.Tx, id uuid.UUID, returned Returned) error {
	_, err := s.Jobs.InsertTx(ctx, tx, jobs.Checkout{CheckoutID: id, Returned: string(returned)}, nil)
	return err
}

// OwnCheckout returns a checkout to its user. Code NotFound, for other users, too.
func (s *Service) OwnCheckout(ctx context.Context, owner, id uuid.UUID) (Checkout, error) {
	c, err := getCheckout(ctx, s.DB, id)
	if err == nil && c.UserID != owner {
		err = errNoCheckout()
	}
	if err != nil {
		return Checkout{}, err
	}
	return c, nil
}

// CheckCheckout fails with NotFound unless the checkout is the user's.
func (s *Service) CheckCheckout(ctx context.Context, owner, id uuid.UUID) error {
	_, err := s.OwnCheckout(ctx, owner, id)
	return err
}

// ReturnFromCheckout has a worker look at the checkout of a payer who comes back from the provider.
// Code NotFound, for other users, too.
func (s *Service) ReturnFromCheckout(ctx context.Context, owner, id uuid.UUID, returned Returned) (Checkout, error) {
	c, err := s.OwnCheckout(ctx, owner, id)
	if err != nil || !c.unpaid() {
		return c, err
	}
	return c, postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error { return s.lookAtCheckout(ctx, tx, id, returned) })
}

// unpaid reports whether the checkout has a page and may still be paid.
func (c Checkout) unpaid() bool { return c.State == CheckoutOpen || c.State == CheckoutExecuting }

// HintCheckout has a worker ask the provider about a payment. Anybody may say that one was made, by
// the invoice number that the provider was given.
func (s *Service) HintCheckout(ctx context.Context, invoice string) error {
	id, err := uuid.Parse(invoice)
	if err != nil {
		return nil //nolint:nilerr // not an invoice of ours
	}
	c, err := getCheckout(ctx, s.DB, id)
	if fault.CodeOf(err) == fault.NotFound || err == nil && !c.unpaid() {
		return nil
	}
	if err != nil {
		return err
	}
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error { return s.lookAtCheckout(ctx, tx, id, "") })
}

// invoice is the number of the checkout for the provider.
func (c Checkout) invoice() string { return strings.ReplaceAll(c.ID.String(), "-", "") }

var (
	errNoProvider = errors.New("wallet: BKASH_CHECKOUT is not set")
	errNoToken    = errors.New("wallet: another worker asks for a token, or there were two calls for one in this hour")
)

// AdvanceCheckout asks the provider for the page of a checkout, to take the payment, or what has
// become of it. It can be repeated. An error tells that the provider gave no clear answer.
func (s *Settler) AdvanceCheckout(ctx context.Context, id uuid.UUID, returned Returned) error {
	c, err := getCheckout(ctx, s.DB, id)
	switch {
	case err != nil:
		return err
	case s.Provider == nil:
		return errNoProvider
	case c.State == CheckoutStarting:
		return s.openCheckout(ctx, c)
	case !c.unpaid():
		return nil
	case c.State == CheckoutOpen && returned == ReturnedCancelled:
		return s.failCheckout(ctx, c, CheckoutCancelled, "")
	case c.State == CheckoutOpen && returned == ReturnedFailure:
		return s.failCheckout(ctx, c, CheckoutDeclined, "")
	}
	token, err := s.providerToken(ctx)
	if err != nil {
		return err
	}
	if c.State == CheckoutOpen && returned == ReturnedSuccess {
		return s.executeCheckout(ctx, c, token)
	}
	if err := setLookedAt.Run(ctx, s.DB, postgres.Args{"id": c.ID, "now": s.Clock.Now()}); err != nil {
		return err
	}
	outcome, err := s.Provider.Lookup(ctx, token, *c.Ref)
	if err != nil {
		return s.dropRefused(ctx, token, err)
	}
	if c.State == CheckoutOpen && outcome.State == checkout.Agreed {
		return s.executeCheckout(ctx, c, token)
	}
	return s.concludeCheckout(ctx, c, outcome)
}

// openCheckout gets the page of a checkout. Without one, users are shown the ordinary way.
func (s *Settler) openCheckout(ctx context.Context, c Checkout) error {
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error { return checkRate(ctx, tx, c.Rate, true, c.CreatedAt) })
	if fault.CodeOf(err) == fault.RateChanged { // the api has made it up
		return s.failCheckout(ctx, c, CheckoutUnavailable, "")
	}
	if err != nil {
		return err
	}
	page, err := s.createPage(ctx, c)
	if errors.Is(err, errNoToken) && s.Clock.Now().Sub(c.CreatedAt) < tokenWait {
		return err
	}
	if errors.Is(err, checkout.ErrOrder) {
		return errors.Join(err, s.failCheckout(ctx, c, CheckoutUnavailable, ""))
	}
	if err != nil {
		return errors.Join(err, s.failCheckout(ctx, c, CheckoutUnavailable, ""), setProviderDown.Run(ctx, s.DB, postgres.Args{
			"until": s.Clock.Now().Add(providerPause), "hour": tokenHour,
		}))
	}
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		s.Events.WalletUpdated(tx, c.UserID)
		return setCheckoutOpen.Run(ctx, tx, postgres.Args{"id": c.ID, "url": page.URL, "ref": page.Ref})
	})
}

func (s *Settler) createPage(ctx context.Context, c Checkout) (checkout.Page, error) {
	token, err := s.providerToken(ctx)
	if err != nil {
		return checkout.Page{}, err
	}
	page, err := s.Provider.Create(ctx, token, checkout.Order{
		Invoice: c.invoice(), Payer: c.UserID.String(), Poisha: int64(c.ConvertedAmount),
		Return: s.PublicURL + "/balance/checkouts/" + c.ID.String(),
	})
	return page, s.dropRefused(ctx, token, err)
}

// dropRefused returns the error of a call of the provider. If it does not accept the token, nobody
// uses it any more; another worker may have a new one already.
func (s *Settler) dropRefused(ctx context.Context, token string, err error) error {
	if errors.Is(err, checkout.ErrToken) {
		err = errors.Join(err, dropToken.Run(ctx, s.DB, postgres.Args{"token": token}))
	}
	return err
}

// providerToken returns the token of the provider, which all workers share. A call for a new one is
// counted before it is made, so that neither a crash nor another worker makes one too many.
func (s *Settler) providerToken(ctx context.Context) (string, error) {
	now := s.Clock.Now()
	token, found, err := findToken.Find(ctx, s.DB, postgres.Args{"at": now.Add(tokenSlack)})
	if err != nil || found {
		return token, err
	}
	may, err := countTokenCall.Any(ctx, s.DB, postgres.Args{"now": now, "running": now.Add(-tokenTime), "hour": now.Add(-tokenHour)})
	if err != nil {
		return "", err
	}
	if !may {
		return "", errNoToken
	}
	token, valid, err := s.Provider.Token(ctx)
	if err != nil {
		return "", err
	}
	return token, setToken.Run(ctx, s.DB, postgres.Args{"token": token, "until": now.Add(valid)})
}

// executeCheckout has the provider take the payment. That it is asked is committed before: whatever
// happens then, it is not asked again.
func (s *Settler) executeCheckout(ctx context.Context, c Checkout, token string) error {
	stopped, executing := false, false
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		stopped, executing = false, false
		if _, err := lockAccount.One(ctx, tx, postgres.Args{"user": c.UserID}); err != nil {
			return err
		}
		of, err := depositor.One(ctx, tx, postgres.Args{"user": c.UserID, "since": s.Clock.Now()})
		if stopped = of.Stopped; err != nil || stopped {
			return err
		}
		executing, err = setExecuting.Any(ctx, tx, postgres.Args{"id": c.ID, "now": s.Clock.Now()})
		return err
	})
	switch {
	case err != nil:
		return err
	case stopped:
		return s.failCheckout(ctx, c, CheckoutUnavailable, "")
	case !executing:
		return nil
	}
	c.State = CheckoutExecuting
	outcome, err := s.Provider.Execute(ctx, token, *c.Ref)
	if err != nil {
		return s.dropRefused(ctx, token, err)
	}
	return s.concludeCheckout(ctx, c, outcome)
}

// concludeCheckout stores a clear answer of the provider.
func (s *Settler) concludeCheckout(ctx context.Context, c Checkout, outcome checkout.Outcome) error {
	switch outcome.State {
	case checkout.Paid:
		return s.creditCheckout(ctx, c, outcome)
	case checkout.Refused:
		return s.failCheckout(ctx, c, CheckoutDeclined, outcome.Code)
	case checkout.Pending, checkout.Agreed:
		if c.State == CheckoutExecuting && s.Clock.Now().Sub(c.CreatedAt) > checkoutTime {
			return s.failCheckout(ctx, c, CheckoutExpired, "")
		}
	}
	return nil
}

// failCheckout ends a checkout that nothing is paid for, unless another worker was faster. code is
// the provider's, if there is one.
func (s *Settler) failCheckout(ctx context.Context, c Checkout, why CheckoutFailure, code string) error {
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		s.Events.WalletUpdated(tx, c.UserID)
		return setCheckoutFailed.Run(ctx, tx, postgres.Args{"id": c.ID, "state": c.State, "failure": why, "code": postgres.NullText(code)})
	})
}

// creditCheckout stores a payment, and makes the deposit of it that it proves. A user who has
// reported the payment has one.
func (s *Settler) creditCheckout(ctx context.Context, c Checkout, paid checkout.Outcome) error {
	if !transactionID.MatchString(paid.TransactionID) {
		return fmt.Errorf("wallet: the provider names the transaction %.20q", paid.TransactionID)
	}
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		is, err := setCheckoutPaid.Any(ctx, tx, postgres.Args{
			"id": c.ID, "transaction": paid.TransactionID, "amount": paid.Poisha, "payer": paid.Payer, "now": s.Clock.Now(),
		})
		if err != nil || !is {
			return err
		}
		s.Events.WalletUpdated(tx, c.UserID)
		if err := lockTransaction.Run(ctx, tx, postgres.Args{"transaction": paid.TransactionID}); err != nil {
			return err
		}
		reported, found, err := findReported(ctx, tx, c.UserID, paid.TransactionID)
		if err != nil {
			return err
		}
		if found {
			_, err := s.Jobs.InsertTx(ctx, tx, jobs.DepositMatch{DepositID: reported.ID}, nil)
			return err
		}
		report := Report{Amount: c.Amount, TransactionID: paid.TransactionID, Method: Bkash, DealID: c.DealID}
		if c.DealTerms != nil {
			report.Terms = *c.DealTerms
		}
		inserted, err := insertDeposit(ctx, tx, c.ID, c.UserID, report, c.Rate, c.ConvertedAmount, c.CreatedAt)
		if err == nil && !inserted {
			err = fmt.Errorf("wallet: checkout %s is paid, and its account closed", c.ID)
		}
		if err != nil {
			return err
		}
		requested, err := s.match(ctx, tx, c.ID)
		if err != nil || requested {
			return err
		}
		return s.announce(ctx, tx, c.ID)
	})
}

// sweepBatch is how many checkouts are looked at in one sweep.
const sweepBatch = 200

// SweepCheckouts has the provider asked about checkouts whose payers have not come back, the more
// rarely the older they are, and ends those that nobody has paid. It also says that checkouts can
// be used.
func (s *Settler) SweepCheckouts(ctx context.Context) (int, error) {
	if s.Provider == nil {
		return 0, nil
	}
	now := s.Clock.Now()
	if err := setProviderSeen.Run(ctx, s.DB, postgres.Args{"now": now}); err != nil {
		return 0, err
	}
	ended, err := expireCheckouts.Count(ctx, s.DB, postgres.Args{
		"now": now, "starting": now.Add(-startingTime), "open": now.Add(-checkoutTime),
	})
	if err != nil {
		return 0, err
	}
	return int(ended), postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		due, err := dueCheckouts.Many(ctx, tx, postgres.Args{"now": now, "before": now.Add(-returnTime), "limit": sweepBatch})
		if err != nil {
			return err
		}
		for _, id := range due {
			if err := s.lookAtCheckout(ctx, tx, id, ""); err != nil {
				return err
			}
		}
		return nil
	})
}
