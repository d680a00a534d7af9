package moderation

import (
	"context"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/sanitize"
	"amanat/internal/money/idempotency"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

const (
	maxAppeal = 2000
	maxAnswer = 1000
)

// ListDecisions returns a page of the decisions about a user, newest first, and their total number.
func (s *Service) ListDecisions(ctx context.Context, userID uuid.UUID, page postgres.Page) ([]Case, int, error) {
	return listDecisions(ctx, s.DB, userID, page)
}

// GetDecision returns a decision to the user it is about. Code NotFound for other users.
func (s *Service) GetDecision(ctx context.Context, userID, id uuid.UUID) (Case, error) {
	c, err := getCase(ctx, s.DB, id)
	if fault.CodeOf(err) == fault.NotFound || err == nil && !c.concerns(userID) {
		return Case{}, errNoDecision()
	}
	return c, err
}

// concerns reports whether the case is a decision about the user.
func (c Case) concerns(userID uuid.UUID) bool {
	return c.Accused.ID == userID && c.DecidedAt != nil && c.Action != Dismiss
}

// Appeal appeals against a decision for the user it is about. Codes: NotFound for other users,
// Invalid for the text, Duplicate for a second appeal, Conflict if it is too late,
// IdempotencyMismatch. A replay returns the decision.
func (s *Service) Appeal(ctx context.Context, userID, id uuid.UUID, text string, key *idempotency.Key) (Case, error) {
	text = sanitize.Text(text)
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		if _, replayed, err := idempotency.Reserve(ctx, tx, key, id, s.Clock.Now()); err != nil || replayed {
			return err
		}
		c, err := lockCase(ctx, tx, id)
		if fault.CodeOf(err) == fault.NotFound || err == nil && !c.concerns(userID) {
			return errNoDecision()
		}
		if err != nil {
			return err
		}
		return s.appeal(ctx, tx, c, text)
	})
	if err != nil {
		return Case{}, err
	}
	return getCase(ctx, s.DB, id)
}

// OpenLink returns the decision of a mailed link, without using the link up. Anyone with the link
// may call it. Code Invalid.
func (s *Service) OpenLink(ctx context.Context, token string) (Case, error) {
	id, err := s.Links.AppealOf(ctx, s.DB, token)
	if err != nil {
		return Case{}, err
	}
	return getCase(ctx, s.DB, id)
}

// AppealByLink is Appeal for a user who cannot sign in. Anyone with the mailed link may call it,
// once. Codes: Invalid for the link or the text, Duplicate, Conflict.
func (s *Service) AppealByLink(ctx context.Context, token, text string) (Case, error) {
	text = sanitize.Text(text)
	var id uuid.UUID
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) (err error) {
		if id, err = s.Links.AppealOf(ctx, tx, token); err != nil {
			return err
		}
		c, err := lockCase(ctx, tx, id)
		if err != nil {
			return err
		}
		return s.appeal(ctx, tx, c, text)
	})
	if err != nil {
		return Case{}, err
	}
	return getCase(ctx, s.DB, id)
}

// appeal stores an appeal against the decision of a locked case.
func (s *Service) appeal(ctx context.Context, tx *postgres.Tx, c Case, text string) error {
	now := s.Clock.Now()
	switch {
	case text == "":
		return fault.Field("text", "appeal_missing", "Please write why the decision is wrong.")
	case utf8.RuneCountInString(text) > maxAppeal:
		return fault.Field("text", "appeal_too_long", "The appeal may have up to 2,000 characters.")
	case c.Appeal != nil:
		return fault.New(fault.Duplicate, "appealed_already", "You already appealed against this decision.")
	case !c.CanAppeal(now):
		return fault.New(fault.Conflict, "appeal_too_late", "A decision can be appealed against for 14 days.")
	}
	if err := setAppeal(ctx, tx, c.ID, text, now); err != nil {
		return err
	}
	if err := s.Links.UseUpAppeal(ctx, tx, c.ID); err != nil {
		return err
	}
	s.Events.QueueChanged(tx, realtime.QueueReports, c.ID)
	return s.notifyAdmins(ctx, tx, catalog.AdminAppeal, c.ID, c.Accused.ID, c.Accused.Username)
}

// AppealRuling is what an admin decides about an appeal.
type AppealRuling struct {
	Overturn bool
	Answer   string
}

func (r AppealRuling) validate() error {
	switch {
	case r.Answer == "":
		return fault.Field("answer", "appeal_answer_missing", "Please write an answer. The user reads it.")
	case utf8.RuneCountInString(r.Answer) > maxAnswer:
		return fault.Field("answer", "appeal_answer_too_long", "The answer may have up to 1,000 characters.")
	}
	return nil
}

// DecideAppeal upholds or overturns a decision. Overturning undoes what it has done. The caller has
// checked that the actor is an admin. Codes: NotFound; Invalid; Forbidden for a case about the
// admin or reported by them, and for the admin who made the decision if there is another; Conflict
// without an appeal, and for overturning if the accused has closed the account; AlreadyHandled;
// IdempotencyMismatch. A replay returns the case.
func (s *Service) DecideAppeal(ctx context.Context, admin, id uuid.UUID, ruling AppealRuling, key *idempotency.Key) (Case, error) {
	ruling.Answer = sanitize.Text(ruling.Answer)
	return s.changeCase(ctx, id, key, func(tx *postgres.Tx, c Case) error {
		if err := ruling.validate(); err != nil {
			return err
		}
		if err := s.checkAppealAdmin(ctx, tx, c, admin); err != nil {
			return err
		}
		if c.Appeal == nil {
			return fault.New(fault.Conflict, "no_appeal", "Nobody has appealed against this decision.")
		}
		if err := c.checkWaiting(admin, s.Clock.Now(), Appealed); err != nil {
			return err
		}
		if c.Accused.Closed && ruling.Overturn {
			return fault.New(fault.Conflict, "appellant_closed", "This account is closed. Uphold the decision.")
		}
		return s.decideAppeal(ctx, tx, admin, c, ruling)
	})
}

// checkAppealAdmin returns Forbidden if the admin may not decide the appeal.
func (s *Service) checkAppealAdmin(ctx context.Context, tx *postgres.Tx, c Case, admin uuid.UUID) error {
	if err := checkOwn(ctx, tx, c, admin); err != nil {
		return err
	}
	if c.DecidedBy == nil || c.DecidedBy.ID != admin {
		return nil
	}
	another, err := hasOtherAdmin(ctx, tx, c, admin, s.FactorForAdmins)
	if err == nil && another {
		err = fault.New(fault.Forbidden, "appeal_other_admin", "Another admin has to decide the appeal.")
	}
	return err
}

func (s *Service) decideAppeal(ctx context.Context, tx *postgres.Tx, admin uuid.UUID, c Case, ruling AppealRuling) error {
	now := s.Clock.Now()
	if err := setAppealDecided(ctx, tx, c.ID, admin, ruling, now); err != nil {
		return err
	}
	kind, letter := catalog.ModerationUpheld, jobs.LetterDecisionUpheld
	if ruling.Overturn {
		kind, letter = catalog.ModerationOverturned, jobs.LetterDecisionOverturned
		if err := s.undo(ctx, tx, c); err != nil {
			return err
		}
	}
	if !c.Accused.Closed {
		params := catalog.Params{"reason": ruling.Answer}
		if err := s.Notices.Notify(ctx, tx, c.Accused.ID, kind, params, decisionLink(c.ID)); err != nil {
			return err
		}
		if err := enqueueLetter(ctx, tx, s.Jobs, c.ID, letter); err != nil {
			return err
		}
	}
	s.Events.QueueChanged(tx, realtime.QueueReports, c.ID)
	return audit.Record(ctx, tx, audit.Entry{
		At: now, Actor: actor.User(admin), Action: "report.appeal", Subject: caseSubject(c.ID), Details: map[string]any{
			"user": c.Accused.ID, "action": c.Action, "overturned": ruling.Overturn, "reason": ruling.Answer,
		},
	})
}

// undo undoes what an overturned decision has done.
func (s *Service) undo(ctx context.Context, tx *postgres.Tx, c Case) error {
	if hider := s.hiderOf(c.Subject); hider != nil {
		if err := hider.Unhide(ctx, tx, c.ID); err != nil {
			return err
		}
	}
	if !c.Action.locksOut() {
		return nil
	}
	if _, err := lockAccused(ctx, tx, c.Accused.ID); err != nil {
		return err
	}
	present, suspended, err := findSuspension(ctx, tx, c.Accused.ID)
	if err != nil || !suspended || present.Decision != c.ID {
		return err
	}
	next, found, err := nextSuspension(ctx, tx, c.Accused.ID, c.ID, s.Clock.Now())
	if err != nil {
		return err
	}
	if found { // another decision still disables the account
		return s.Accounts.Suspend(ctx, tx, c.Accused.ID, next, s.Clock.Now())
	}
	return s.Accounts.Resume(ctx, tx, c.Accused.ID)
}
