package deals

import (
	"context"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/sanitize"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
)

// Bounds (docs/rules.md#deal-create).
const (
	maxDescription  = 5000
	maxDeliveryDays = 99
	day             = 24 * time.Hour

	DefaultInspectionDays = 3
	maxInspectionDays     = 30
)

// Terms are what a buyer and a seller agree on.
type Terms struct {
	Price          money.Cents
	Description    string
	DeliveryDays   int
	InspectionDays int // how long the buyer may inspect a delivery
}

// params are the terms in texts.
func (t Terms) params() catalog.Params {
	return catalog.Params{
		"amount": t.Price.String(), "days": strconv.Itoa(t.DeliveryDays), "inspectionDays": strconv.Itoa(t.InspectionDays),
	}
}

// Draft is the input of Create. Zero values and nil stand for omitted fields.
type Draft struct {
	BuyerID, SellerID *uuid.UUID
	Terms
	// Guest takes the place of the other user in a deal that waits for somebody to join it.
	Guest *Guest
}

// other returns the party of a valid draft who is not the user.
func (d Draft) other(userID uuid.UUID) uuid.UUID {
	if *d.BuyerID == userID {
		return *d.SellerID
	}
	return *d.BuyerID
}

// validate checks the rules of docs/rules.md#deal-create in their order.
func (d Draft) validate(userID uuid.UUID) error {
	buys, sells := d.BuyerID != nil && *d.BuyerID == userID, d.SellerID != nil && *d.SellerID == userID
	switch {
	case d.BuyerID == nil && d.SellerID == nil && d.Guest == nil:
		return fault.Field("sellerId", "user_missing", "Select a user.")
	case buys && sells:
		return fault.Field("sellerId", "deal_with_self", "You cannot make a deal with yourself.")
	case buys && d.SellerID == nil && d.Guest == nil:
		return fault.Field("sellerId", "user_missing", "Select a user.")
	case sells && d.BuyerID == nil && d.Guest == nil:
		return fault.Field("buyerId", "user_missing", "Select a user.")
	case d.Price == 0:
		return fault.Field("price", "deal_fields_missing", "All fields are required.")
	case d.Description == "":
		return fault.Field("description", "deal_fields_missing", "All fields are required.")
	case !buys && !sells:
		return fault.Field("buyerId", "role_missing", "Please select your role.")
	case d.DeliveryDays == 0:
		return fault.Field("deliveryDuration", "delivery_duration_missing", "Please Choose Delivery Duration")
	case d.Price < money.MinPrice || d.Price > money.MaxPrice:
		return fault.Field("price", "price_out_of_range", "The price must be between $0.01 and $1,000,000.00.")
	case utf8.RuneCountInString(d.Description) > maxDescription:
		return fault.Field("description", "description_over_limit", "The description must be at most 5,000 characters.")
	case d.DeliveryDays < 1 || d.DeliveryDays > maxDeliveryDays:
		return fault.Field("deliveryDuration", "delivery_duration_out_of_range", "The delivery duration must be 1 to 99 days.")
	case d.InspectionDays < 1 || d.InspectionDays > maxInspectionDays:
		return fault.Field("inspectionDays", "inspection_out_of_range", "The inspection period must be 1 to 30 days.")
	case d.Guest == nil:
		return nil
	case d.BuyerID != nil && d.SellerID != nil:
		return fault.Field("sellerId", "user_and_guest", "Select a user or invite someone, not both.")
	}
	return d.Guest.validate()
}

// Create creates a Pending deal between the actor and another user and notifies the other user.
// Codes: Invalid with the first rule that fails; Conflict if too many of the buyer's deals wait to
// be accepted, or if the actor is the buyer and may not pay such a price yet; Forbidden if one of
// the two has blocked the other; IdempotencyMismatch. A replay returns the deal that the key
// created.
func (s *Service) Create(ctx context.Context, userID uuid.UUID, draft Draft, key *idempotency.Key) (Detail, error) {
	draft.Description = sanitize.Text(draft.Description)
	if err := draft.validate(userID); err != nil {
		return Detail{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Detail{}, err
	}
	made, err := idempotency.Create(ctx, s.DB, key, id, s.Clock.Now(), func(tx *postgres.Tx) error {
		return s.create(ctx, tx, userID, id, draft)
	})
	if err != nil {
		return Detail{}, err
	}
	return s.Get(ctx, userID, made)
}

// checkBlocks returns Forbidden if one of two users has blocked the other. The caller has locked
// both (insertDeal), so that a block is either seen here or made after the deal.
func checkBlocks(ctx context.Context, tx *postgres.Tx, userID, other uuid.UUID) error {
	blocked, err := findBlocks.One(ctx, tx, postgres.Args{"one": userID, "other": other})
	switch {
	case err != nil:
		return err
	case blocked.Mine:
		return fault.New(fault.Forbidden, "deal_blocked_by_you", "You blocked this user. Unblock them to make a deal.")
	case blocked.Theirs:
		return fault.New(fault.Forbidden, "deal_blocked_by_them", "You cannot make a deal with this user.")
	}
	return nil
}

func (s *Service) create(ctx context.Context, tx *postgres.Tx, userID, id uuid.UUID, draft Draft) error {
	if userID == *draft.BuyerID { // the seller must accept it
		if err := s.Limits.CheckPrice(ctx, tx, userID, draft.Price); err != nil {
			return err
		}
		if err := checkOfferLimits(ctx, tx, *draft.BuyerID, *draft.SellerID); err != nil {
			return err
		}
	}
	d, err := s.insert(ctx, tx, userID, userID, id, draft)
	if err != nil {
		return err
	}
	return s.publish(ctx, tx, d, change{
		actor: actor.User(userID), line: catalog.LineCreated, notices: []notice{d.offer()},
	})
}

// insert inserts a deal of its maker for a user who acts now: the maker or whoever joins. Codes:
// Invalid if one of the two is disabled, Forbidden if one of them has blocked the other.
func (s *Service) insert(ctx context.Context, tx *postgres.Tx, maker, acting, id uuid.UUID, draft Draft) (Deal, error) {
	now := s.Clock.Now()
	found, err := insertDeal(ctx, tx, id, maker, draft, now, now.Add(time.Duration(draft.DeliveryDays)*day))
	if err != nil {
		return Deal{}, err
	}
	if !found {
		return Deal{}, fault.Field("sellerId", "user_missing", "Select a user.")
	}
	if err := checkBlocks(ctx, tx, acting, draft.other(acting)); err != nil {
		return Deal{}, err
	}
	return getDeal(ctx, tx, id, now)
}

// Limits on open deals that the seller has not accepted yet.
const (
	maxUnacceptedPerPair  = 10
	maxUnacceptedPerBuyer = 50
)

// Accepted reports whether the seller has agreed to the deal: by creating, accepting or delivering
// it.
func (d Deal) Accepted() bool { return d.AcceptedAt != nil }

// Accept records the seller's agreement to a deal that the buyer created. Accepting again changes
// nothing. Codes: NotFound, Forbidden for the buyer, Conflict if the deal is closed, a
// counter-offer is open or an operation is pending.
func (s *Service) Accept(ctx context.Context, userID, id uuid.UUID) (Detail, error) {
	return s.changed(ctx, userID, id, func(tx *postgres.Tx, d Deal) error {
		switch {
		case userID != d.Seller.ID:
			return errSellerOnly()
		case d.Status != Pending && !d.Status.Open():
			return errState("accepted", d)
		case d.Accepted():
			return nil
		case d.CounterofferBy != nil:
			return errCounterofferOpen()
		}
		if err := checkNotBusy(ctx, tx, id); err != nil {
			return err
		}
		now := s.Clock.Now()
		d.AcceptedAt = &now
		return s.apply(ctx, tx, d, change{
			actor: actor.User(userID), line: catalog.LineAccepted, notices: []notice{{d.Buyer.ID, catalog.DealAccepted}},
		})
	})
}

// Removal is the result of Remove: an operation if the buyer gets money back; without one the deal
// is removed.
type Removal struct {
	Operation *operations.Operation
}

// Remove declines or withdraws a deal. A Pending deal is removed for both parties: its creator
// withdraws it, the other party declines it. The seller may also decline a paid deal that they have
// not accepted, at any time: the buyer is refunded in full. Codes: NotFound, Conflict if the deal
// is otherwise paid or an operation is pending.
func (s *Service) Remove(ctx context.Context, userID, id uuid.UUID, key *idempotency.Key) (Removal, error) {
	if op, used, err := operations.Replayed(ctx, s.DB, key, id); err != nil || used {
		return Removal{Operation: op}, err
	}
	paid := false
	err := s.change(ctx, userID, id, func(tx *postgres.Tx, d Deal) error {
		if paid = d.declinable(userID); paid {
			return nil
		}
		return s.remove(ctx, tx, userID, d, key)
	})
	if err != nil || !paid {
		return Removal{}, err
	}
	op, err := s.requestRefund(ctx, actor.User(userID), id, ReasonDeclined, key)
	return Removal{Operation: &op}, err
}

// RemovePending withdraws and declines the Pending deals of a user. One that cannot be removed now,
// such as one that is being paid, stays.
func (s *Service) RemovePending(ctx context.Context, userID uuid.UUID) error {
	pending, err := findPending.Many(ctx, s.DB, postgres.Args{"user": userID})
	if err != nil {
		return err
	}
	for _, id := range pending {
		err := s.change(ctx, userID, id, func(tx *postgres.Tx, d Deal) error { return s.remove(ctx, tx, userID, d, nil) })
		if code := fault.CodeOf(err); err != nil && code != fault.NotFound && code != fault.Conflict {
			return err
		}
	}
	return nil
}

// declinable reports whether the user may decline the paid deal or has already done so.
func (d Deal) declinable(userID uuid.UUID) bool {
	return userID == d.Seller.ID && !d.Accepted() && d.Status != Pending
}

func (s *Service) remove(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, d Deal, key *idempotency.Key) error {
	if _, replayed, err := idempotency.Reserve(ctx, tx, key, d.ID, s.Clock.Now()); err != nil || replayed {
		return err
	}
	if d.Status != Pending {
		return errState("removed", d)
	}
	if err := checkNotBusy(ctx, tx, d.ID); err != nil {
		return err
	}
	kind := catalog.DealDeclined
	if userID == d.CreatedBy {
		kind = catalog.DealWithdrawn
	}
	now := s.Clock.Now()
	d.RemovedAt = &now
	return s.apply(ctx, tx, d, change{actor: actor.User(userID), notices: []notice{{d.Other(userID).ID, kind}}})
}

// offer returns the other party's notice of a new deal. Only the seller of a deal that the buyer
// created has to accept it.
func (d Deal) offer() notice {
	if d.Accepted() {
		return notice{d.Buyer.ID, catalog.DealOffered}
	}
	return notice{d.Seller.ID, catalog.DealOfferedToSeller}
}

// paidNotice returns the seller's notice of the payment and of what they can do next.
func (d Deal) paidNotice() notice {
	if d.Accepted() {
		return notice{d.Seller.ID, catalog.DealPaid}
	}
	return notice{d.Seller.ID, catalog.DealPaidUnaccepted}
}

// checkOfferLimits fails with Conflict if too many deals wait for their seller's acceptance. Its
// locks serialize creations by one buyer and between the same two users, so that concurrent ones
// are counted too.
func checkOfferLimits(ctx context.Context, tx *postgres.Tx, buyer, seller uuid.UUID) error {
	ofBuyer, err := checkPairLimit(ctx, tx, buyer, seller)
	if err == nil && ofBuyer >= maxUnacceptedPerBuyer {
		err = fault.New(fault.Conflict, "own_deals_waiting",
			"Fifty of your deals wait to be accepted. Wait for an answer to some of them first.")
	}
	return err
}

// checkPairLimit is the part of checkOfferLimits about two users. It returns how many deals of the
// buyer wait.
func checkPairLimit(ctx context.Context, tx *postgres.Tx, buyer, seller uuid.UUID) (ofBuyer int, err error) {
	if err := lockOffers(ctx, tx, buyer, seller); err != nil {
		return 0, err
	}
	waiting, err := countUnaccepted.One(ctx, tx, postgres.Args{"buyer": buyer, "seller": seller})
	if err == nil && waiting.OfPair >= maxUnacceptedPerPair {
		err = fault.New(fault.Conflict, "pair_deals_waiting", "Ten deals between you two wait to be accepted. Wait for an answer to them first.")
	}
	return waiting.OfBuyer, err
}
