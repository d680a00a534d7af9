package deals

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/fault"
	"amanat/internal/money"
	"amanat/internal/operations"
	"amanat/internal/postgres"
	"amanat/internal/texts"
)

// Bounds of DESIGN §3 "Limits" and SPEC §5.
const (
	maxDescription  = 5000
	maxDeliveryDays = 99
	day             = 24 * time.Hour

	defaultInspectionDays = 3
	maxInspectionDays     = 30
)

// Draft is what a user agrees on when he creates a deal. Zero values stand for what was not given.
type Draft struct {
	BuyerID, SellerID uuid.UUID
	Price             money.Cents
	Description       string
	DeliveryDays      int
	InspectionDays    int // 0: the default
}

// validate applies SPEC §5 "Create deal" in its order.
func (d Draft) validate(actor uuid.UUID) error {
	switch {
	case d.BuyerID == uuid.Nil && d.SellerID == uuid.Nil:
		return fault.Field("sellerId", "Select a user.")
	case d.BuyerID == actor && d.SellerID == actor:
		return fault.Field("sellerId", "You cannot make a deal with yourself.")
	case d.BuyerID == actor && d.SellerID == uuid.Nil:
		return fault.Field("sellerId", "Select a user.")
	case d.SellerID == actor && d.BuyerID == uuid.Nil:
		return fault.Field("buyerId", "Select a user.")
	case d.Price == 0:
		return fault.Field("price", "All fields are required.")
	case d.Description == "":
		return fault.Field("description", "All fields are required.")
	case d.BuyerID != actor && d.SellerID != actor:
		return fault.Field("buyerId", "Please select your role.")
	case d.DeliveryDays == 0:
		return fault.Field("deliveryDuration", "Please Choose Delivery Duration")
	case d.Price < money.MinPrice || d.Price > money.MaxPrice:
		return fault.Field("price", "The price must be between $0.01 and $1,000,000.00.")
	case utf8.RuneCountInString(d.Description) > maxDescription:
		return fault.Field("description", "The description must be at most 5,000 characters.")
	case d.DeliveryDays < 1 || d.DeliveryDays > maxDeliveryDays:
		return fault.Field("deliveryDuration", "The delivery duration must be 1 to 99 days.")
	case d.InspectionDays < 1 || d.InspectionDays > maxInspectionDays:
		return fault.Field("inspectionDays", "The time to check must be 1 to 30 days.")
	}
	return nil
}

// Create makes a Pending deal between the actor and another user and tells the other. Codes: Invalid with SPEC §5's texts;
// IdempotencyMismatch. A replay returns the deal that the key made.
func (s *Service) Create(ctx context.Context, actor uuid.UUID, draft Draft, key *operations.Key) (Detail, error) {
	draft.Description = strings.TrimSpace(draft.Description)
	if draft.InspectionDays == 0 {
		draft.InspectionDays = defaultInspectionDays
	}
	if err := draft.validate(actor); err != nil {
		return Detail{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Detail{}, err
	}
	made, err := s.Operations.Once(ctx, key, id, func(tx *postgres.Tx) error {
		return s.create(ctx, tx, actor, id, draft)
	})
	if err != nil {
		return Detail{}, err
	}
	return s.Get(ctx, actor, made)
}

func (s *Service) create(ctx context.Context, tx *postgres.Tx, actor, id uuid.UUID, draft Draft) error {
	now := s.Clock.Now()
	found, err := insertDeal(ctx, tx, id, actor, draft, now, now.Add(time.Duration(draft.DeliveryDays)*day))
	if err != nil {
		return err
	}
	if !found {
		return fault.Field("sellerId", "Select a user.")
	}
	d, err := getDeal(ctx, tx, id, now)
	if err != nil {
		return err
	}
	return s.tell(ctx, tx, d, change{
		actor: actor, line: texts.LineCreated, notices: []notice{{d.Other(actor).ID, texts.DealOffered}},
	})
}
