package deals

import (
	"context"
	"slices"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/sanitize"
)

// Bounds of what a party says with an act (docs/rules.md#deal-words).
const (
	maxWords    = 2000
	maxPictures = 8
)

// Words is what a party says to the other with an act on a deal. It is kept in the timeline and in
// the conversation of the two.
type Words struct {
	Text     string
	Pictures []uuid.UUID // of AddPicture, in their order
}

func (w Words) empty() bool { return w.Text == "" && len(w.Pictures) == 0 }

func (w Words) normalized() Words {
	w.Text = sanitize.Text(w.Text)
	return w
}

func (w Words) checkLength() error {
	if utf8.RuneCountInString(w.Text) > maxWords {
		return fault.Field("text", "words_too_long", "The text must be at most 2,000 characters.")
	}
	return nil
}

// checkDelivery checks what a seller delivers with. Code Invalid.
func (w Words) checkDelivery() error {
	if err := w.checkLength(); err != nil {
		return err
	}
	if len(w.Pictures) > maxPictures {
		return fault.Field("pictures", "delivery_pictures_over_limit", "A delivery can have at most 8 pictures.")
	}
	for i, id := range w.Pictures {
		if slices.Contains(w.Pictures[:i], id) {
			return errPictures()
		}
	}
	return nil
}

func errPictures() error {
	return fault.Field("pictures", "delivery_pictures_unknown", "One of the pictures is not there any more. Please add it again.")
}

// CheckSeller returns why a user is not the seller of a deal. Codes: NotFound, Forbidden for the
// buyer.
func (s *Service) CheckSeller(ctx context.Context, userID, id uuid.UUID) error {
	buyer, seller, err := s.parties(ctx, userID, id)
	if err == nil && userID == buyer && userID != seller {
		err = errSellerOnly()
	}
	return err
}

// CheckBuyer returns why a user is not the buyer of a deal. Codes: NotFound, Forbidden for the
// seller.
func (s *Service) CheckBuyer(ctx context.Context, userID, id uuid.UUID) error {
	buyer, seller, err := s.parties(ctx, userID, id)
	if err == nil && userID == seller && userID != buyer {
		err = errBuyerOnly()
	}
	return err
}

// CheckParty returns NotFound unless a user is a party of a deal.
func (s *Service) CheckParty(ctx context.Context, userID, id uuid.UUID) error {
	_, _, err := s.parties(ctx, userID, id)
	return err
}

// parties returns the parties of a deal to one of them. Code NotFound for others.
func (s *Service) parties(ctx context.Context, userID, id uuid.UUID) (buyer, seller uuid.UUID, err error) {
	buyer, seller, err = findParties(ctx, s.DB, id)
	if err == nil && userID != buyer && userID != seller {
		err = errNotFound()
	}
	return buyer, seller, err
}

// said is changed for a transition with words, whose locks begin with those of the conversation's
// members (docs/money.md#lock-order).
func (s *Service) said(
	ctx context.Context, userID, id uuid.UUID, words Words, transition func(tx *postgres.Tx, d Deal) error,
) (Detail, error) {
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		return s.saidIn(ctx, tx, userID, id, words, transition)
	})
	if err != nil {
		return Detail{}, err
	}
	return s.Get(ctx, userID, id)
}

// saidIn is said in the caller's transaction, which holds no lock of a conversation or a deal.
func (s *Service) saidIn(
	ctx context.Context, tx *postgres.Tx, userID, id uuid.UUID, words Words, transition func(tx *postgres.Tx, d Deal) error,
) error {
	if !words.empty() {
		buyer, seller, err := findParties(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := s.Conversations.PrepareAct(ctx, tx, buyer, seller); err != nil {
			return err
		}
	}
	return s.changeIn(ctx, tx, userID, id, transition)
}

// tell gives the pictures of a change to its event in the timeline and writes what was said into
// the conversation of the two.
func (s *Service) tell(ctx context.Context, tx *postgres.Tx, d Deal, event uuid.UUID, c change) error {
	author, isUser := c.actor.UserID()
	if c.said.empty() || !isUser {
		return nil
	}
	if len(c.said.Pictures) > 0 {
		shown, err := showPictures(ctx, tx, d.ID, author, event, c.said.Pictures)
		if err != nil {
			return err
		}
		if shown < int64(len(c.said.Pictures)) {
			return errPictures()
		}
	}
	return s.Conversations.WriteAct(ctx, tx, author, d.Other(author).ID, event, c.said.Text)
}
