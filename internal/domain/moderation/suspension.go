package moderation

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/postgres"
	"amanat/queue/jobs"
)

// suspension is the decision for which an account is disabled.
type suspension struct {
	Decision uuid.UUID
	Until    *time.Time // nil: a ban
}

// endsAfter reports whether the suspension lasts longer than one that ends at a time, or never ends
// if that is nil.
func (s suspension) endsAfter(until *time.Time) bool {
	return s.Until == nil || until != nil && s.Until.After(*until)
}

// sweepBatch is the number of accounts that one run enables.
const sweepBatch = 100

// EndSuspensions enables the accounts whose suspension has run out and tells their owners. An
// account that an admin has disabled for another reason meanwhile stays disabled. It returns how
// many accounts it has enabled, and goes on after a failure. It is for workers.
func (s *Settler) EndSuspensions(ctx context.Context) (ended int, err error) {
	people, err := listOverdue(ctx, s.DB, s.Clock.Now(), sweepBatch)
	if err != nil {
		return 0, err
	}
	var failures []error
	for _, person := range people {
		done, err := s.endSuspension(ctx, person)
		if err != nil {
			failures = append(failures, fmt.Errorf("user %s: %w", person, err))
		}
		if done {
			ended++
		}
	}
	return ended, errors.Join(failures...)
}

// endSuspension enables a user if their suspension has run out.
func (s *Settler) endSuspension(ctx context.Context, userID uuid.UUID) (ended bool, err error) {
	err = postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		ended = false
		if _, err := lockAccused(ctx, tx, userID); err != nil {
			return err
		}
		present, suspended, err := findSuspension(ctx, tx, userID)
		if err != nil || !suspended || present.Until == nil || present.Until.After(s.Clock.Now()) {
			return err
		}
		if err := s.Accounts.Resume(ctx, tx, userID); err != nil {
			return err
		}
		ended = true
		if err := s.Notices.Notify(ctx, tx, userID, catalog.ModerationSuspensionEnded, nil, decisionLink(present.Decision)); err != nil {
			return err
		}
		return enqueueLetter(ctx, tx, s.Jobs, present.Decision, jobs.LetterSuspensionEnded)
	})
	return ended && err == nil, err
}

// enqueueLetter enqueues an email about a decision to the person concerned.
func enqueueLetter(ctx context.Context, tx *postgres.Tx, enqueuer jobs.Enqueuer, decision uuid.UUID, letter string) error {
	_, err := enqueuer.InsertTx(ctx, tx, jobs.DecisionMail{DecisionID: decision, Letter: letter}, nil)
	return err
}

// Letter is what an email about a decision says.
type Letter struct {
	UserID    uuid.UUID
	Action    Action
	Params    catalog.Params // reason, and until for a suspension
	CanAppeal bool
}

// LetterOf returns what an email about a decision says. It is for workers.
func (s *Settler) LetterOf(ctx context.Context, decision uuid.UUID, letter string) (Letter, error) {
	c, err := getCase(ctx, s.DB, decision)
	if err != nil {
		return Letter{}, err
	}
	l := Letter{UserID: c.Accused.ID, Action: c.Action, Params: catalog.Params{"reason": c.Reason}, CanAppeal: c.CanAppeal(s.Clock.Now())}
	if c.Until != nil {
		l.Params["until"] = c.Until.Format(time.RFC3339)
	}
	if letter != jobs.LetterDecision && c.Appeal != nil {
		l.Params["reason"] = c.Appeal.Answer
	}
	return l, nil
}
