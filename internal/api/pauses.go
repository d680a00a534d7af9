package api

import (
	"context"
	"time"

	"amanat/internal/app/pauses"
)

// Pauses is what is paused.
type Pauses struct {
	Paused []Paused `json:"paused"`
}

// Paused is a part of the service that is paused.
type Paused struct {
	Area  pauses.Area `json:"area" enum:"money,deposits,withdrawals,signups" doc:"money: every payment, deposits and withdrawals among them."`
	Since time.Time   `json:"since"`
}

func (s *Server) pausesNow(ctx context.Context, _ *struct{}) (*output[Pauses], error) {
	inForce, err := s.pauses.Paused(ctx)
	if err != nil {
		return nil, err
	}
	return respond(Pauses{Paused: mapped(inForce, func(p pauses.Pause) Paused {
		return Paused{Area: p.Area, Since: p.PausedAt}
	})}), nil
}
