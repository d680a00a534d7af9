package deals

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/ledger"
	"amanat/internal/money/operations"
	"amanat/queue/jobs"
)

// AnyTerms stands for the terms that a deal has when its payment is requested.
const AnyTerms = 0

type payParams struct {
	Terms int `json:"terms"`
}

// RequestPay requests the transfer of the price from the buyer's wallet to the deal's escrow. terms
// is the version that the buyer has read, or AnyTerms. Codes: NotFound, Forbidden for the seller
// and for a buyer whose money is on hold, InsufficientBalance with the shortfall, Conflict if the
// deal is already paid, has other terms or an open counter-offer, a party is disabled, the buyer
// would exceed a limit, or another operation is pending.
func (s *Service) RequestPay(ctx context.Context, userID, id uuid.UUID, terms int, key *idempotency.Key) (operations.Operation, error) {
	if terms == AnyTerms {
		// The operation names them, so that it is refused if they change: the limits are checked
		// with the price of these.
		d, err := getDeal(ctx, s.DB, id, s.Clock.Now())
		if err != nil {
			return operations.Operation{}, err
		}
		terms = d.TermsVersion
	}
	buyer := actor.User(userID)
	request := operations.Request{
		Kind: jobs.KindDealPay, Subject: operations.Deal(id), Actor: buyer, Params: payParams{terms}, Key: key,
	}
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		s.Operations.Begin(ctx, tx, &request)
		var balance money.Cents
		ledger.QueueWalletBalance(tx, userID, &balance)
		checkLimits := s.Limits.QueuePayment(tx, userID)
		d, err := s.dealFor(ctx, tx, buyer, false, id) // all of the above in one round trip
		if err != nil {
			return err
		}
		if err := payable(d, buyer, terms); err != nil {
			return err
		}
		// Before the balance: nobody should deposit money that they may not pay.
		if err := checkLimits(ctx, id, d.Price); err != nil {
			return err
		}
		// Failing early spares the queue; the worker's check is the authoritative one.
		if balance < d.Price {
			return errInsufficient(int64(d.Price - balance))
		}
		return s.Operations.Enqueue(ctx, tx, &request)
	})
	return s.Operations.Answer(ctx, &request, err)
}

// dealFor returns a deal to the actor who requests an operation on it: a party, the system, or an
// admin, which the caller has checked. Code NotFound for other users.
func (s *Service) dealFor(ctx context.Context, tx *postgres.Tx, actor actor.Actor, admin bool, id uuid.UUID) (Deal, error) {
	d, err := getDeal(ctx, tx, id, s.Clock.Now())
	if userID, isUser := actor.UserID(); err == nil && isUser && !admin && !d.IsParty(userID) {
		err = errNotFound()
	}
	return d, err
}

func payable(d Deal, actor actor.Actor, terms int) error {
	if !actor.Is(d.Buyer.ID) {
		return errBuyerOnly()
	}
	switch {
	case d.Status != Pending:
		return errState("paid", d)
	case d.Fee != money.Fee(d.Price): // the api has written it
		return operations.ErrMalformed()
	case d.partyDisabled():
		return errPartyDisabled(d)
	case d.buyerLocked():
		return errLocked(d)
	case d.CounterofferBy != nil:
		return errCounterofferOpen()
	case terms != d.TermsVersion:
		return errTermsChanged()
	}
	return nil
}

// explainInsufficient turns the ledger's refusal into the buyer's.
func explainInsufficient(err error) error {
	var insufficient *ledger.InsufficientError
	if errors.As(err, &insufficient) {
		return errInsufficient(int64(insufficient.Shortfall))
	}
	return err
}

func errInsufficient(shortfall int64) *fault.Error {
	refusal := fault.New(fault.InsufficientBalance, "balance_too_low", "Insufficient balance")
	refusal.Shortfall = shortfall
	return refusal
}

// SettlePay moves the price into escrow and makes the deal Active. The commit fails with
// InsufficientBalance if the wallet has too little.
func (s *Settler) SettlePay(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
	var p payParams
	if err := json.Unmarshal(op.Params, &p); err != nil {
		return nil, fmt.Errorf("params: %w", err)
	}
	locked, err := lockedFor(tx, op)
	if err != nil {
		return nil, err
	}
	d := locked.Deal
	if err := payable(d, op.Actor, p.Terms); err != nil {
		return nil, err
	}
	now := s.Clock.Now()
	err = ledger.PostAtCommit(ctx, tx, ledger.Transfer{
		Key:   ledger.DealPay.Key(d.ID),
		Kind:  op.Kind,
		Legs:  []ledger.Leg{ledger.Move(ledger.Wallet(d.Buyer.ID), ledger.Escrow(d.ID), d.Price)},
		Actor: op.Actor,
		At:    now,
	}, explainInsufficient)
	if err != nil {
		return nil, err
	}
	d.Status, d.ActivatedAt = Active, &now
	if locked.supportFreezing { // requested before the payment: it freezes the deal from the start
		d.FrozenAt = &now
	}
	s.Events.WalletUpdated(tx, d.Buyer.ID)
	return operations.Result{Outcome: OutcomeActivated}, s.apply(ctx, tx, d, change{
		actor: op.Actor, line: catalog.LinePaid, notices: []notice{d.paidNotice(), {d.Buyer.ID, catalog.PaymentMade}},
	})
}

// lockedDeals holds the deals that a transaction has locked to settle operations on them.
type lockedDeals map[uuid.UUID]lockedDeal

// lockedDeal is a deal under its lock.
type lockedDeal struct {
	Deal
	supportFreezing bool // a support request freezes the deal, provided that it is open
}

// QueueLock queues the locking of the deals of the operations, in ID order, and the reading of
// them, for the Settle calls that follow in the transaction. When that has run, the result has the
// IDs of the deals that are locked: unless wait is set, without those that another transaction has
// locked. The operations themselves must be locked before.
func (s *Settler) QueueLock(tx *postgres.Tx, ids []uuid.UUID, wait bool) map[uuid.UUID]bool {
	locked := make(map[uuid.UUID]bool, len(ids))
	deals := lockedIn(tx)
	lock, ofOperations, now := lockFreeOfOperations, postgres.Args{"operations": ids}, s.Clock.Now()
	if wait {
		lock = lockOfOperations
	}
	lock.Queue(tx, ofOperations, func(id uuid.UUID) { locked[id] = true })
	dealsOfOperations.Queue(tx, ofOperations, func(d Deal) {
		if locked[d.ID] {
			deals[d.ID] = lockedDeal{Deal: d.at(now)}
		}
	})
	supportFreezing.Queue(tx, ofOperations, func(id uuid.UUID) {
		if d, found := deals[id]; found {
			d.supportFreezing = true
			deals[id] = d
		}
	})
	return locked
}

func lockedIn(tx *postgres.Tx) lockedDeals {
	return *postgres.Local(tx, func() *lockedDeals { return &lockedDeals{} })
}

// lockedFor returns the deal of an operation as it is under the lock of QueueLock. Code NotFound.
func lockedFor(tx *postgres.Tx, op operations.Operation) (lockedDeal, error) {
	id, err := op.SubjectID()
	if err != nil {
		return lockedDeal{}, err
	}
	d, found := lockedIn(tx)[id]
	if !found {
		return lockedDeal{}, errNotFound()
	}
	return d, nil
}

// completer says on whose authority a deal is completed.
type completer string

const (
	byBuyer completer = "buyer"
	byAdmin completer = "admin"
	byClock completer = "clock"
)

type completeParams struct {
	By completer `json:"by"`
}

// RequestComplete requests the release of the escrow: the price less the fee to the seller, the fee
// to the provider. Codes: NotFound, Forbidden for the seller and for a buyer whose money is on
// hold, Conflict if the deal is not open or another operation is pending.
func (s *Service) RequestComplete(ctx context.Context, userID, id uuid.UUID, key *idempotency.Key) (operations.Operation, error) {
	return s.requestComplete(ctx, actor.User(userID), id, byBuyer, key)
}

func (s *Service) requestComplete(
	ctx context.Context, actor actor.Actor, id uuid.UUID, by completer, key *idempotency.Key,
) (operations.Operation, error) {
	request := operations.Request{
		Kind: jobs.KindDealComplete, Subject: operations.Deal(id), Actor: actor, Params: completeParams{by}, Key: key,
	}
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		s.Operations.Begin(ctx, tx, &request)
		d, err := s.dealFor(ctx, tx, actor, by == byAdmin, id)
		if err != nil {
			return err
		}
		if err := s.completable(d, actor, by); err != nil {
			return err
		}
		return s.Operations.Enqueue(ctx, tx, &request)
	})
	return s.Operations.Answer(ctx, &request, err)
}

// completable returns an error if the deal's state or the actor's role does not allow the
// completion. For byAdmin, the caller has checked that the actor is an admin.
func (s *Service) completable(d Deal, actor actor.Actor, by completer) error {
	switch by {
	case byBuyer:
		if !actor.Is(d.Buyer.ID) {
			return errBuyerOnly()
		}
	case byAdmin:
		if userID, isUser := actor.UserID(); !isUser || d.IsParty(userID) {
			return errOwnDeal()
		}
	case byClock:
		if _, isUser := actor.UserID(); isUser {
			return errUnknownRequest()
		}
	default:
		return errUnknownRequest()
	}
	switch {
	case !d.Status.Open():
		return errState("completed", d)
	case by == byAdmin && d.Ruled:
		return errRuled()
	case by == byBuyer && d.buyerLocked():
		return errLocked(d)
	case by == byClock && (d.buyerLocked() || !d.isDue(ActionComplete, s.Clock.Now())):
		return errNotYet()
	}
	return nil
}

// SettleComplete releases the escrow and closes the deal. If it fails with a *fault.Error, it has
// changed nothing.
func (s *Settler) SettleComplete(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
	var p completeParams
	if err := json.Unmarshal(op.Params, &p); err != nil {
		return nil, fmt.Errorf("params: %w", err)
	}
	locked, err := lockedFor(tx, op)
	if err != nil {
		return nil, err
	}
	d := locked.Deal
	if err := s.completable(d, op.Actor, p.By); err != nil {
		return nil, err
	}
	rewards, err := s.Rewards.Owe(ctx, tx, d.ID, d.Buyer.ID, d.Seller.ID, d.Price, d.Fee)
	if err != nil {
		return nil, err
	}
	escrow := ledger.Escrow(d.ID)
	now := s.Clock.Now()
	err = ledger.PostAtCommit(ctx, tx, ledger.Transfer{
		Key:  ledger.DealClose.Key(d.ID),
		Kind: op.Kind,
		Legs: []ledger.Leg{
			ledger.Move(escrow, ledger.Wallet(d.Seller.ID), d.Payout()),
			ledger.Move(escrow, ledger.Fees(), d.Fee-rewards),
			ledger.Move(escrow, ledger.ReferralPayable(), rewards),
		},
		Actor: op.Actor,
		At:    now,
	}, nil)
	if err != nil {
		return nil, err
	}
	if p.By == byAdmin {
		if err := s.audited(ctx, tx, op.Actor, "deal.complete", d); err != nil {
			return nil, err
		}
	}
	d.Status, d.ClosedAt, d.CloseReason = Completed, &now, ReasonCompleted
	s.Events.WalletUpdated(tx, d.Seller.ID)
	return operations.Result{Outcome: OutcomeCompleted}, s.apply(ctx, tx, d, completedChange(d, op.Actor, p.By))
}

func completedChange(d Deal, actor actor.Actor, by completer) change {
	switch by {
	case byAdmin:
		return change{actor: actor, line: catalog.LineAdminCompleted, notices: []notice{
			{d.Buyer.ID, catalog.DealAdminCompleted}, {d.Seller.ID, catalog.DealAdminCompleted},
		}}
	case byClock:
		return change{actor: actor, line: catalog.LineClockCompleted, notices: []notice{
			{d.Buyer.ID, catalog.DealClockCompleted}, {d.Seller.ID, catalog.DealClockCompleted},
		}}
	case byBuyer:
	}
	return change{actor: actor, line: catalog.LineCompleted, notices: []notice{
		{d.Seller.ID, catalog.DealCompleted}, {d.Buyer.ID, catalog.ReleaseMade},
	}}
}

func errNotYet() error { return fault.New(fault.Conflict, "too_early", "It is not yet time for this.") }

// errUnknownRequest rejects a completer or a reason that may not be requested.
func errUnknownRequest() error {
	return fault.New(fault.Forbidden, "request_unknown", "This cannot be asked for.")
}
