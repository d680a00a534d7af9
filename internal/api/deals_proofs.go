package api

import (
	"context"
	"net/http"
	"time"

	"amanat/internal/app/user"
	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
)

// Public proofs are kept for a moment, here and in shared caches: many may watch one page.
const (
	keptProofs = 1_000
	proofFresh = 2 * time.Second
)

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
	if kept, found := s.proofs.Get(in.Code); found && now.Before(kept.At.Add(proofFresh)) {
		return respond(kept), nil
	}
	held, err := s.deals.FindHeld(ctx, in.Code)
	if err != nil {
		return nil, err
	}
	wire := HeldMoney{Amount: held.Amount, Status: string(held.Status), Since: held.Since, ClosedAt: held.ClosedAt, At: now}
	s.proofs.Add(in.Code, wire)
	return respond(wire), nil
}
