package moderation

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/realtime"
)

const (
	// claimFor is how long a claim locks out other admins.
	claimFor = 5 * time.Minute
	// Bounds of the lists in a Detail.
	maxListed  = 100
	maxHistory = 20
)

// Detail is a case with all that an admin needs to decide it.
type Detail struct {
	Case
	Current *Content // nil: it was deleted
	Listed  []CaseReport
	History []FormerDecision
}

// CaseReport is one report of a case as admins see it.
type CaseReport struct {
	ID        uuid.UUID
	Reporter  Account
	Reason    Reason
	Text      string
	CreatedAt time.Time
}

// FormerDecision is an earlier decision about the accused.
type FormerDecision struct {
	ID         uuid.UUID
	Action     Action
	Reason     string
	DecidedAt  time.Time
	Overturned bool
}

// Queue returns a page of the cases with a status and their total number, without those about the
// admin: open and appealed ones oldest first, decided ones, closed ones among them, newest first.
// The caller has checked that the reader is an admin.
func (s *Service) Queue(ctx context.Context, admin uuid.UUID, status Status, page postgres.Page) ([]Case, int, error) {
	return listCases(ctx, s.DB, admin, status, page)
}

// Get returns a case to an admin. Code NotFound.
func (s *Service) Get(ctx context.Context, id uuid.UUID) (Case, error) {
	return getCase(ctx, s.DB, id)
}

// Detail returns a case with its first reports, what has become of its subject, and former
// decisions about the accused, to an admin. Codes: NotFound, Forbidden for a case about the admin,
// who may not learn who has reported them.
func (s *Service) Detail(ctx context.Context, admin, id uuid.UUID) (Detail, error) {
	c, err := getCase(ctx, s.DB, id)
	if err != nil {
		return Detail{}, err
	}
	if c.Accused.ID == admin {
		return Detail{}, errOwnCase()
	}
	d := Detail{Case: c}
	if d.Current, err = findContent(ctx, s.DB, c.Subject, c.SubjectID); err != nil {
		return Detail{}, err
	}
	if d.Listed, err = listCaseReports(ctx, s.DB, id, maxListed); err != nil {
		return Detail{}, err
	}
	d.History, err = listHistory(ctx, s.DB, c.Accused.ID, id, maxHistory)
	return d, err
}

// Claim locks other admins out of a case that waits for a decision or for that of an appeal, for
// five minutes. Claiming again renews the claim. Codes: NotFound, Forbidden for a case or an appeal
// that the admin may not decide, AlreadyHandled.
func (s *Service) Claim(ctx context.Context, admin, id uuid.UUID) (Case, error) {
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		c, err := lockCase(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := s.checkAdmin(ctx, tx, c, admin); err != nil {
			return err
		}
		now := s.Clock.Now()
		if err := c.checkWaiting(admin, now, Open, Appealed); err != nil {
			return err
		}
		s.Events.QueueChanged(tx, realtime.QueueReports, id)
		return setClaim(ctx, tx, id, admin, now.Add(claimFor))
	})
	if err != nil {
		return Case{}, err
	}
	return s.Get(ctx, id)
}

func errOwnCase() error {
	return fault.New(fault.Forbidden, "own_case", "You cannot decide a case about yourself.")
}

// checkAdmin returns Forbidden if the admin may not decide what the case waits for: reports, or an
// appeal.
func (s *Service) checkAdmin(ctx context.Context, tx *postgres.Tx, c Case, admin uuid.UUID) error {
	if c.Status() == Appealed {
		return s.checkAppealAdmin(ctx, tx, c, admin)
	}
	return checkOwn(ctx, tx, c, admin)
}

// checkOwn returns Forbidden if the case is about the admin or was reported by them.
func checkOwn(ctx context.Context, q postgres.Querier, c Case, admin uuid.UUID) error {
	if c.Accused.ID == admin {
		return errOwnCase()
	}
	reported, err := hasReported(ctx, q, c.ID, admin)
	if err == nil && reported {
		err = fault.New(fault.Forbidden, "own_report", "You cannot decide a case that you have reported.")
	}
	return err
}

// checkWaiting returns AlreadyHandled unless the case has one of the statuses and no other admin's
// claim is valid.
func (c Case) checkWaiting(admin uuid.UUID, now time.Time, statuses ...Status) error {
	waits := false
	for _, status := range statuses {
		waits = waits || c.Status() == status
	}
	if !waits {
		by, at := c.DecidedBy, c.DecidedAt
		if c.Status() == Closed {
			by, at = c.Appeal.DecidedBy, c.Appeal.DecidedAt
		}
		return fault.Newf(fault.AlreadyHandled, "handled_by", "Already handled by {name} at {time}.",
			fault.Params{"name": by.Username, "time": clock.Moment(*at)})
	}
	if c.ClaimedBy != nil && c.ClaimedBy.ID != admin && now.Before(*c.ClaimedUntil) {
		return fault.Newf(fault.AlreadyHandled, "claimed_by", "{name} is working on this request.", fault.Params{"name": c.ClaimedBy.Username})
	}
	return nil
}
