package deals

import (
	"context"
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
)

// Bounds (docs/rules.md#deal-create).
const (
	maxDescription  = 5000
	maxDeliveryDays = 99
	day             = 24 * time.Hour

	defaultInspectionDays = 3
	maxInspectionDays     = 30
)

// Draft is the input of Create. Zero values and nil stand for omitted fields.
type Draft struct {
	BuyerID, SellerID *uuid.UUID
	Price             money.Cents
	Description       string
	DeliveryDays      int
	InspectionDays    *int // nil for the default
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
	case d.InspectionDays != nil && (*d.InspectionDays < 1 || *d.InspectionDays > maxInspectionDays):
		return fault.Field("inspectionDays", "inspection_out_of_range", "The inspection period must be 1 to 30 days.")
	case d.Guest == nil:
		return nil
	case d.BuyerID != nil && d.SellerID != nil:
		return fault.Field("sellerId", "user_and_guest", "Select a user or invite someone, not both.")
	}
	return d.Guest.validate()
}

// normalized returns the draft with the description cleaned and the default inspection period.
func (d Draft) normalized() Draft {
	d.Description = sanitize.Text(d.Description)
	if d.InspectionDays == nil {
		days := defaultInspectionDays
		d.InspectionDays = &days
	}
	return d
}

// Create creates a Pending deal between the actor and another user and notifies the other user.
// Codes: Invalid with the first rule that fails; Conflict if too many of the buyer's deals wait to
// be accepted, or if the actor is the buyer and may not pay such a price yet; Forbidden if one of
// the two has blocked the other; IdempotencyMismatch. A replay returns the deal that the key
// created.
func (s *Service) Create(ctx context.Context, userID uuid.UUID, draft Draft, key *idempotency.Key) (Detail, error) {
	draft = draft.normalized()
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
	mine, theirs, err := findBlocks(ctx, tx, userID, other)
	switch {
	case err != nil:
		return err
	case mine:
		return fault.New(fault.Forbidden, "deal_blocked_by_you", "You blocked this user. Unblock them to make a deal.")
	case theirs:
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
