package deals

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/money/idempotency"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/images"
	"amanat/internal/platform/postgres"
)

// AddPicture stores a picture that the seller is about to deliver with. It waits a day for that.
// Codes: those of Deliver for the deal, Conflict beyond eight, those of images.Service.Read for the
// picture, IdempotencyMismatch. A replay returns the picture that the key created, NotFound once it
// is gone.
func (s *Service) AddPicture(
	ctx context.Context, userID, id uuid.UUID, dataURL string, key *idempotency.Key,
) (images.Attachment, error) {
	if made, used, err := idempotency.Lookup(ctx, s.DB, key); err != nil || used { // it may have been the eighth
		if err != nil {
			return images.Attachment{}, err
		}
		return findPicture(ctx, s.DB, id, userID, made)
	}
	d, err := getDeal(ctx, s.DB, id, s.Clock.Now())
	if err == nil {
		err = s.checkPicture(ctx, s.DB, userID, d)
	}
	if err != nil { // decoding is expensive
		return images.Attachment{}, err
	}
	picture, err := s.Images.Read(ctx, userID, dataURL)
	if err != nil {
		return images.Attachment{}, fault.In("image", err)
	}
	imageID, err := uuid.NewV7()
	if err != nil {
		return images.Attachment{}, err
	}
	made, err := idempotency.Create(ctx, s.DB, key, imageID, s.Clock.Now(), func(tx *postgres.Tx) error {
		return s.changeIn(ctx, tx, userID, id, func(tx *postgres.Tx, d Deal) error {
			if err := s.checkPicture(ctx, tx, userID, d); err != nil {
				return err
			}
			if err := s.Images.SaveForDeal(ctx, tx, imageID, picture, userID); err != nil {
				return err
			}
			return insertPicture(ctx, tx, imageID, id, s.Clock.Now())
		})
	})
	if err != nil {
		return images.Attachment{}, err
	}
	return findPicture(ctx, s.DB, id, userID, made)
}

// checkPicture returns why a user may not add a picture to a deal. Codes: NotFound, Forbidden for
// the buyer, Conflict.
func (s *Service) checkPicture(ctx context.Context, q postgres.Querier, userID uuid.UUID, d Deal) error {
	if !d.IsParty(userID) {
		return errNotFound()
	}
	if err := d.checkDeliverable(userID); err != nil {
		return err
	}
	waiting, err := countWaiting(ctx, q, d.ID, userID)
	if err == nil && waiting >= maxPictures {
		err = fault.New(fault.Conflict, "delivery_pictures_full", "A delivery can have at most 8 pictures. Remove one to add another.")
	}
	return err
}

func errNoPicture() error {
	return fault.New(fault.NotFound, "picture_not_found", "Picture not found.")
}

// RemovePicture removes a picture of the user that has not been delivered with. Code NotFound.
func (s *Service) RemovePicture(ctx context.Context, userID, id, imageID uuid.UUID) error {
	return s.change(ctx, userID, id, func(tx *postgres.Tx, _ Deal) error {
		found, err := isWaiting(ctx, tx, id, userID, imageID)
		if err != nil {
			return err
		}
		if !found {
			return errNoPicture()
		}
		return s.Images.Release(ctx, tx, imageID)
	})
}

// IsParty reports whether a user is a party of a deal and may therefore see the pictures of its
// deliveries.
func (s *Service) IsParty(ctx context.Context, id, userID uuid.UUID) (bool, error) {
	buyer, seller, err := findParties(ctx, s.DB, id)
	return userID == buyer || userID == seller, err
}
