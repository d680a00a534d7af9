package api

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/app/user"
	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
)

func (s *Server) registerDealPictures() {
	registerIdempotent(s, endpoint{
		id: "deal-picture-add", method: http.MethodPost, path: "/deals/{id}/pictures", tag: dealTag, status: http.StatusCreated, image: true,
		summary: "Add a picture to deliver with: it waits for that for a day; for the seller of a deal that can be delivered",
		visible: allowed(s.deals.CheckSeller),
		codes:   []fault.Code{fault.Conflict},
	}, false, s.dealPictureAdd)
	register(s, endpoint{
		id: "deal-picture-remove", method: http.MethodDelete, path: "/deals/{id}/pictures/{pictureId}", tag: dealTag,
		summary: "Remove a picture that was not delivered with; for whoever added it",
	}, s.dealPictureRemove)
}

// DealDeliverBody is what a seller delivers with. All of it may be left out.
type DealDeliverBody struct {
	Text     string   `json:"text,omitempty" doc:"At most 2,000 characters." example:"The access is in your inbox."`
	Pictures []string `json:"pictures,omitempty" doc:"Ids of at most eight pictures that were added to the deal, in their order." example:"019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	// With a courier, the inspection waits for the arrival.
	Courier        string `json:"courier,omitempty" doc:"Who brings it, at most 40 characters; left out unless it is sent by courier." example:"Pathao"`
	TrackingNumber string `json:"trackingNumber,omitempty" doc:"At most 40 characters, beside a courier." example:"DA120525ABCD"`
}

// words returns what a seller says. A malformed id becomes the zero id, which no picture has.
func (b DealDeliverBody) words() deals.Words {
	return deals.Words{Text: b.Text, Pictures: mapped(b.Pictures, func(text string) uuid.UUID {
		id, _ := parseID(text)
		return id
	})}
}

func (s *Server) dealDeliver(
	ctx context.Context, in *struct {
		IDPath
		Payload Payload[DealDeliverBody]
	},
) (*output[DealChange], error) {
	return s.changeDeal(ctx, deals.OutcomeDelivered, func(ctx context.Context, actor, id uuid.UUID) (deals.Detail, error) {
		body, err := in.Payload.decode()
		if err != nil {
			return deals.Detail{}, err
		}
		if body.Courier != "" || body.TrackingNumber != "" {
			return s.deals.Ship(ctx, actor, id, body.words(), body.Courier, body.TrackingNumber)
		}
		return s.deals.Deliver(ctx, actor, id, body.words())
	})
}

func (s *Server) dealArrived(ctx context.Context, _ *IDPath) (*output[DealChange], error) {
	return s.changeDeal(ctx, deals.OutcomeArrived, s.deals.Arrived)
}

// DealResetBody is what a buyer asks to be changed. It may be left out; the UI always asks for it.
type DealResetBody struct {
	Text string `json:"text,omitempty" doc:"At most 2,000 characters." example:"The second page is missing."`
}

func (s *Server) dealResetDelivery(
	ctx context.Context, in *struct {
		IDPath
		Payload Payload[DealResetBody]
	},
) (*output[DealChange], error) {
	return s.changeDeal(ctx, deals.OutcomeReset, func(ctx context.Context, actor, id uuid.UUID) (deals.Detail, error) {
		body, err := in.Payload.decode()
		if err != nil {
			return deals.Detail{}, err
		}
		return s.deals.ResetDelivery(ctx, actor, id, body.Text)
	})
}

// DealPictureBody is a picture to deliver with.
type DealPictureBody struct {
	Image string `json:"image" doc:"A data URL." example:"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="`
}

// DealPictureAdded is the answer to a picture that was added.
type DealPictureAdded struct {
	Picture images.Attachment `json:"picture"`
}

func (s *Server) dealPictureAdd(
	ctx context.Context, in *struct {
		IDPath
		Payload Payload[DealPictureBody]
	},
) (*Settled[DealPictureAdded], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	added, err := s.deals.AddPicture(ctx, actor(ctx).ID, pathID(ctx), body.Image, callOf(ctx).key)
	return settledWith(DealPictureAdded{added}), err
}

// DealPicturePath names a picture of a deal.
type DealPicturePath struct {
	IDPath
	PictureID string `path:"pictureId" format:"uuid"`
}

func (s *Server) dealPictureRemove(ctx context.Context, in *DealPicturePath) (*output[Message], error) {
	id, err := parseID(in.PictureID)
	if err != nil {
		return nil, err
	}
	err = s.deals.RemovePicture(ctx, actor(ctx).ID, pathID(ctx), id)
	return respond(Message{catalog.Outcome{Code: "picture_removed", Message: "Picture removed"}}), err
}

// Public proofs are kept for a moment, here and in shared caches: many may watch one page.
const (
	keptProofs = 1_000
	proofFresh = 2 * time.Second
)

// proofs are those of the last moment.
type proofs struct {
	mu   sync.Mutex
	kept map[string]HeldMoney // by code
}

func (p *proofs) get(code string, now time.Time) (HeldMoney, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	held, found := p.kept[code]
	return held, found && now.Before(held.At.Add(proofFresh))
}

// add keeps a proof. If there are too many, it drops the others, which are only kept for a moment.
func (p *proofs) add(code string, held HeldMoney) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kept == nil || len(p.kept) >= keptProofs {
		p.kept = map[string]HeldMoney{}
	}
	p.kept[code] = held
}

func (s *Server) registerProofs() {
	register(s, endpoint{
		id: "deal-proof", method: http.MethodGet, path: "/deals/{id}/proof", tag: dealTag,
		summary: "The switch of a deal's public page, to its buyer and its seller",
	}, s.dealProof)
	register(s, endpoint{
		id: "deal-proof-set", method: http.MethodPut, path: "/deals/{id}/proof", tag: dealTag,
		summary: "Switch a deal's public page on, while its money is held, or off; for its buyer and its seller",
		codes:   []fault.Code{fault.Conflict},
	}, s.dealProofSet)
	register(s, endpoint{
		id: "held", method: http.MethodGet, path: "/held/{code}", tag: dealTag, access: anyone, shared: proofFresh,
		summary: "What a deal's public page shows: whether its money is held",
		codes:   []fault.Code{fault.NotFound},
	}, s.held)
}

// DealProof is the switch of a deal's public page.
type DealProof struct {
	Shown     bool               `json:"shown"`
	Code      *string            `json:"code" nullable:"true" doc:"The page is /held/{code}; null unless it is shown." example:"k7m2p9qa4x"`
	ChangedBy Nullable[user.Ref] `json:"changedBy" doc:"Who has switched it last; null if nobody has."`
	ChangedAt *time.Time         `json:"changedAt"`
}

// DealProofBody switches a deal's public page.
type DealProofBody struct {
	Shown bool `json:"shown"`
}

// HeldMoney is what everybody sees of a deal: no names and no texts.
type HeldMoney struct {
	Amount   money.Cents `json:"amount" example:"200"`
	Status   string      `json:"status" enum:"Active,Late,Delivered,Completed,Cancelled,Cancelled by Buyer,Cancelled by Seller"`
	Since    time.Time   `json:"since" doc:"When it was paid."`
	ClosedAt *time.Time  `json:"closedAt" doc:"Null while Amanat holds the money."`
	At       time.Time   `json:"at" doc:"When this was true."`
}

func proofOf(p deals.Proof) DealProof {
	return DealProof{Shown: p.Shown, Code: nullable[string](p.Code), ChangedBy: orNull(p.ChangedBy), ChangedAt: p.ChangedAt}
}

func (s *Server) dealProof(ctx context.Context, _ *IDPath) (*output[DealProof], error) {
	p, err := s.deals.GetProof(ctx, actor(ctx).ID, pathID(ctx))
	return respond(proofOf(p)), err
}

func (s *Server) dealProofSet(
	ctx context.Context, in *struct {
		IDPath
		Payload Payload[DealProofBody]
	},
) (*output[DealProof], error) {
	if _, err := s.deals.GetProof(ctx, actor(ctx).ID, pathID(ctx)); err != nil { // before the body is judged
		return nil, err
	}
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	p, err := s.deals.SetProof(ctx, actor(ctx).ID, pathID(ctx), body.Shown)
	return respond(proofOf(p)), err
}

func (s *Server) held(ctx context.Context, in *CodePath) (*output[HeldMoney], error) {
	now := s.clock.Now()
	if kept, found := s.proofs.get(in.Code, now); found {
		return respond(kept), nil
	}
	held, err := s.deals.FindHeld(ctx, in.Code)
	if err != nil {
		return nil, err
	}
	wire := HeldMoney{Amount: held.Amount, Status: string(held.Status), Since: held.Since, ClosedAt: held.ClosedAt, At: now}
	s.proofs.add(in.Code, wire)
	return respond(wire), nil
}
