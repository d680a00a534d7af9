package deals

import (
	"context"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/sanitize"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
)

// Deliver marks an open deal delivered, which also accepts it, with what the seller says and shows.
// Only the seller may do it; no money moves. Delivering again changes nothing. Codes: NotFound,
// Forbidden, Invalid with the first rule of the words that fails or if one of the pictures does not
// wait to be delivered with, Conflict in any other status, while a cancellation is requested, and
// while an operation is pending.
func (s *Service) Deliver(ctx context.Context, userID, id uuid.UUID, with Words) (Detail, error) {
	return s.deliver(ctx, userID, id, with, Shipment{})
}

// Ship is Deliver of what is on its way with a courier. Further code: Invalid if the courier is
// missing, or if it or the tracking number is too long.
func (s *Service) Ship(ctx context.Context, userID, id uuid.UUID, with Words, courier, trackingNumber string) (Detail, error) {
	sent := Shipment{Courier: sanitize.Line(courier), TrackingNumber: sanitize.Line(trackingNumber)}
	if err := sent.check(); err != nil {
		return Detail{}, err
	}
	return s.deliver(ctx, userID, id, with, sent)
}

func (s *Service) deliver(ctx context.Context, userID, id uuid.UUID, with Words, sent Shipment) (Detail, error) {
	with = with.normalized()
	if err := with.checkDelivery(); err != nil {
		return Detail{}, err
	}
	return s.changeWithMessage(ctx, userID, id, with, func(tx *postgres.Tx, d Deal) error {
		if userID == d.Seller.ID && d.Status == Delivered {
			return nil
		}
		if err := d.checkDeliverable(userID); err != nil {
			return err
		}
		if err := checkNotBusy(ctx, tx, id); err != nil {
			return err
		}
		now := s.Clock.Now()
		d.Status, d.Delivered, d.DeliveredAt, d.Shipment, d.ResetAt = Delivered, true, &now, sent, nil
		if d.FirstDeliveredAt == nil {
			d.FirstDeliveredAt = &now
		}
		if !d.Accepted() { // delivery implies acceptance
			d.AcceptedAt = &now
		}
		c := change{
			actor: actor.User(userID), line: catalog.LineDelivered, said: with, notices: []notice{{d.Buyer.ID, catalog.DealDelivered}},
		}
		if sent.Courier != "" {
			c.line, c.notices[0].kind, c.params = catalog.LineShipped, catalog.DealShipped, catalog.Params{shipmentParam: sent.Label()}
		}
		return s.apply(ctx, tx, d, c)
	})
}

// checkDeliverable returns why a user may not deliver the deal. Codes: Forbidden, Conflict.
func (d Deal) checkDeliverable(userID uuid.UUID) error {
	switch {
	case userID != d.Seller.ID:
		return errSellerOnly()
	case d.Status != Active && d.Status != Late:
		return errState("delivered", d)
	case d.CancellationRequested:
		return fault.New(fault.Conflict, "cancellation_unanswered", "Answer the cancellation request first.")
	}
	return nil
}

// shipmentParam is the event and notification parameter that holds a Shipment.
const shipmentParam = "shipment"

// maxShipment bounds the courier and the tracking number each, in characters.
const maxShipment = 40

// Shipment is what a delivery has sent by courier; the zero value: nothing
// (docs/rules.md#shipment).
type Shipment struct {
	Courier        string     `json:"courier" example:"Pathao"`
	TrackingNumber string     `json:"trackingNumber" doc:"Empty if there is none." example:"DA120525ABCD"`
	ArrivedAt      *time.Time `json:"arrivedAt" doc:"When the buyer said that it arrived; null otherwise."`
	// ArrivesBy moves on while the deal is frozen.
	ArrivesBy *time.Time `db:"-" json:"arrivesBy" doc:"When it counts as arrived, unless the buyer says so before; null once it has."`
}

// Label returns what the timeline calls the shipment: courier and tracking number.
func (p Shipment) Label() string {
	if p.TrackingNumber == "" {
		return p.Courier
	}
	return p.Courier + " · " + p.TrackingNumber
}

func (p Shipment) check() error {
	switch {
	case p.Courier == "":
		return fault.Field("courier", "courier_missing", "Choose the courier.")
	case utf8.RuneCountInString(p.Courier) > maxShipment:
		return fault.Field("courier", "courier_too_long", "The name of the courier must be at most 40 characters.")
	case utf8.RuneCountInString(p.TrackingNumber) > maxShipment:
		return fault.Field("trackingNumber", "tracking_number_too_long", "The tracking number must be at most 40 characters.")
	}
	return nil
}

func (d Deal) inspection() time.Duration { return time.Duration(d.InspectionDays) * day }

// inspectedFrom returns when the inspection of a delivery begins, without the time frozen since.
func (d Deal) inspectedFrom() time.Time {
	switch {
	case d.ArrivedAt != nil:
		return *d.ArrivedAt
	case d.Courier != "":
		return d.DeliveredAt.Add(arriveWithin)
	}
	return *d.DeliveredAt
}

// arrivesBy returns when a shipment that is on its way counts as arrived; nil for any other deal.
func (d Deal) arrivesBy(now time.Time) *time.Time {
	if d.Courier == "" || d.ArrivedAt != nil || d.NextActionAt == nil {
		return nil
	}
	by := d.NextActionAt.Add(-d.inspection())
	if d.Frozen() {
		by = by.Add(now.Sub(*d.FrozenAt))
	}
	if !now.Before(by) {
		return nil
	}
	return &by
}

// Arrived is the buyer saying that the shipment of the delivery has arrived, with which the
// inspection begins. Saying it again, or when the inspection has begun, changes nothing. Codes:
// NotFound, Forbidden for the seller, Conflict if nothing was sent and while an operation is
// pending.
func (s *Service) Arrived(ctx context.Context, userID, id uuid.UUID) (Detail, error) {
	return s.changed(ctx, userID, id, func(tx *postgres.Tx, d Deal) error {
		switch {
		case userID != d.Buyer.ID:
			return errBuyerOnly()
		case d.Courier == "":
			return fault.New(fault.Conflict, "nothing_on_its_way", "Nothing is on its way to you.")
		case d.ArrivesBy == nil:
			return nil
		}
		if err := checkNotBusy(ctx, tx, id); err != nil {
			return err
		}
		now := s.Clock.Now()
		d.ArrivedAt = &now
		return s.apply(ctx, tx, d, change{
			actor: actor.User(userID), line: catalog.LineArrived, notices: []notice{{d.Seller.ID, catalog.DealArrived}},
		})
	})
}

// changed is change followed by a fresh read of the deal.
func (s *Service) changed(
	ctx context.Context, userID, id uuid.UUID, transition func(tx *postgres.Tx, d Deal) error,
) (Detail, error) {
	if err := s.change(ctx, userID, id, transition); err != nil {
		return Detail{}, err
	}
	return s.Get(ctx, userID, id)
}

// change runs a transition that moves no money under the deal's lock. It returns NotFound unless
// the user is a party of the deal.
func (s *Service) change(ctx context.Context, userID, id uuid.UUID, transition func(tx *postgres.Tx, d Deal) error) error {
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		return s.changeIn(ctx, tx, userID, id, transition)
	})
}

// changeIn is change in the caller's transaction.
func (s *Service) changeIn(
	ctx context.Context, tx *postgres.Tx, userID, id uuid.UUID, transition func(tx *postgres.Tx, d Deal) error,
) error {
	d, err := lockDeal(ctx, tx, id, s.Clock.Now())
	if err != nil {
		return err
	}
	if !d.IsParty(userID) {
		return errNotFound()
	}
	return transition(tx, d)
}

// checkNotBusy returns operations.ErrBusy while an operation is pending on the deal. The caller
// holds the deal's lock, so an operation that a worker is settling cannot be missed.
func checkNotBusy(ctx context.Context, tx *postgres.Tx, id uuid.UUID) error {
	_, busy, err := operations.PendingOn(ctx, tx, operations.Deal(id))
	if err == nil && busy {
		err = operations.ErrBusy()
	}
	return err
}

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
	return nil
}

func errPictures() error {
	return fault.Field("pictures", "pictures_unknown", "One of the pictures is not there any more. Please add it again.")
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
	p, err := findParties(ctx, s.DB, id)
	if err == nil && !p.include(userID) {
		err = errNotFound()
	}
	return p.BuyerID, p.SellerID, err
}

// changeWithMessage is change plus a chat message. It locks the members of the conversation first
// (docs/money.md#lock-order).
func (s *Service) changeWithMessage(
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
		p, err := findParties(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := s.Conversations.PrepareAct(ctx, tx, p.BuyerID, p.SellerID); err != nil {
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
		shown, err := showPictures.Count(ctx, tx, postgres.Args{"deal": d.ID, "owner": author, "event": event, "pictures": c.said.Pictures})
		if err != nil {
			return err
		}
		if shown < int64(len(c.said.Pictures)) {
			return errPictures()
		}
	}
	return s.Conversations.WriteAct(ctx, tx, author, d.Other(author).ID, event, c.said.Text)
}

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
		found, err := isWaiting.One(ctx, tx, postgres.Args{"deal": id, "owner": userID, "image": imageID})
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
	p, err := findParties(ctx, s.DB, id)
	return err == nil && p.include(userID), err
}
