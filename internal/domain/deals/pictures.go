package deals

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/app/images"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/idempotency"
)

// pictureUse is what a picture of a deal is added for.
type pictureUse int

const (
	forDelivery pictureUse = iota
	forDispute
)

// AddPicture stores a picture that the seller is about to deliver with. It waits a day for that.
// Codes: those of Deliver for the deal, Conflict beyond eight, those of images.Service.Read for the
// picture, IdempotencyMismatch. A replay returns the picture that the key created, NotFound once it
// is gone.
func (s *Service) AddPicture(
	ctx context.Context, userID, id uuid.UUID, dataURL string, key *idempotency.Key,
) (images.Attachment, error) {
	return s.addPicture(ctx, userID, id, dataURL, key, func(ctx context.Context, q postgres.Querier, d Deal) error {
		if !d.IsParty(userID) {
			return errNotFound()
		}
		if err := d.checkDeliverable(userID); err != nil {
			return err
		}
		return checkWaiting(ctx, q, d.ID, userID, forDelivery)
	}, forDelivery)
}

// AddDisputePicture stores a picture that a party, or an admin, asAdmin, is about to show in a
// dispute. It waits a day for that. The caller has checked that an admin is one. Codes: NotFound,
// Conflict if the deal is not open and beyond eight, those of images.Service.Read for the picture,
// IdempotencyMismatch. A replay is as that of AddPicture.
func (s *Service) AddDisputePicture(
	ctx context.Context, userID, id uuid.UUID, asAdmin bool, dataURL string, key *idempotency.Key,
) (images.Attachment, error) {
	return s.addPicture(ctx, userID, id, dataURL, key, func(ctx context.Context, q postgres.Querier, d Deal) error {
		switch {
		case !asAdmin && !d.IsParty(userID):
			return errNotFound()
		case !d.Status.Open():
			return errState("disputed", d)
		}
		return checkWaiting(ctx, q, d.ID, userID, forDispute)
	}, forDispute)
}

func (s *Service) addPicture(
	ctx context.Context, userID, id uuid.UUID, dataURL string, key *idempotency.Key,
	check func(ctx context.Context, q postgres.Querier, d Deal) error, use pictureUse,
) (images.Attachment, error) {
	if made, used, err := idempotency.Lookup(ctx, s.DB, key); err != nil || used { // it may have been the eighth
		if err != nil {
			return images.Attachment{}, err
		}
		return findPicture(ctx, s.DB, id, userID, made)
	}
	d, err := getDeal(ctx, s.DB, id, s.Clock.Now())
	if err == nil {
		err = check(ctx, s.DB, d)
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
		d, err := lockDeal(ctx, tx, id, s.Clock.Now())
		if err == nil {
			err = check(ctx, tx, d)
		}
		if err != nil {
			return err
		}
		if err := s.Images.SaveForDeal(ctx, tx, imageID, picture, userID); err != nil {
			return err
		}
		return insertPicture(ctx, tx, imageID, id, use, s.Clock.Now())
	})
	if err != nil {
		return images.Attachment{}, err
	}
	return findPicture(ctx, s.DB, id, userID, made)
}

// checkWaiting returns Conflict if a user has added as many pictures as can be shown at once.
func checkWaiting(ctx context.Context, q postgres.Querier, deal, userID uuid.UUID, use pictureUse) error {
	waiting, err := countWaiting(ctx, q, deal, userID, use)
	switch {
	case err != nil || waiting < maxPictures:
		return err
	case use == forDispute:
		return fault.New(fault.Conflict, "dispute_pictures_full", "You can add at most 8 pictures. Remove one to add another.")
	}
	return fault.New(fault.Conflict, "delivery_pictures_full", "A delivery can have at most 8 pictures. Remove one to add another.")
}

func errNoPicture() error {
	return fault.New(fault.NotFound, "picture_not_found", "Picture not found.")
}

// RemovePicture removes a picture of the user that has not been shown yet. Code NotFound.
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

// IsParty reports whether a user is a party of a deal and may therefore see its pictures.
func (s *Service) IsParty(ctx context.Context, id, userID uuid.UUID) (bool, error) {
	buyer, seller, err := findParties(ctx, s.DB, id)
	return userID == buyer || userID == seller, err
}
