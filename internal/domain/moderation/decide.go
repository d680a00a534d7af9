package moderation

import (
	"context"
	"slices"
	"time"
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
	maxReason = 1000
	maxDays   = 365
	day       = 24 * time.Hour
)

// Ruling is what an admin decides. Zero values stand for omitted fields.
type Ruling struct {
	Action Action
	Reason string
	Days   int // of a suspension
}

func (r Ruling) validate(about Subject) error {
	switch {
	case !slices.Contains(Actions(), r.Action):
		return fault.Field("action", "ruling_missing", "Please choose what to do.")
	case r.Action == Hide && !about.hideable():
		return fault.Field("action", "ruling_cannot_hide", "Only posts and reviews can be hidden.")
	case r.Action != Dismiss && r.Reason == "":
		return fault.Field("reason", "ruling_reason_missing", "Please give the reason. The user reads it.")
	case utf8.RuneCountInString(r.Reason) > maxReason:
		return fault.Field("reason", "ruling_reason_too_long", "The reason may have up to 1,000 characters.")
	case r.Action == Suspend && (r.Days < 1 || r.Days > maxDays):
		return fault.Field("days", "ruling_days", "Please enter 1 to 365 days.")
	}
	return nil
}

// Decide decides all reports of an open case. It warns, suspends or bans the accused or hides what
// was reported, tells the accused by notification and email, and the reporters whether anything was
// done. The caller has checked that the actor is an admin. Codes: NotFound; Invalid with the first
// rule that fails; Forbidden for a case about the admin or reported by them, and for the suspension
// of an admin; Conflict for anything but Dismiss if the accused has closed the account;
// AlreadyHandled; IdempotencyMismatch. A replay returns the case.
func (s *Service) Decide(ctx context.Context, admin, id uuid.UUID, ruling Ruling, key *idempotency.Key) (Case, error) {
	ruling.Reason = sanitize.Text(ruling.Reason)
	return s.changeCase(ctx, id, key, func(tx *postgres.Tx, c Case) error {
		if err := ruling.validate(c.Subject); err != nil {
			return err
		}
		if err := checkOwn(ctx, tx, c, admin); err != nil {
			return err
		}
		if err := c.checkWaiting(admin, s.Clock.Now(), Open); err != nil {
			return err
		}
		if c.Accused.Closed && ruling.Action != Dismiss {
			return fault.New(fault.Conflict, "accused_closed", "This account is closed. Dismiss the report.")
		}
		return s.decide(ctx, tx, admin, c, ruling)
	})
}

// changeCase runs a change of a case under its lock, once for each key, and returns the case as it
// is then. Code NotFound.
func (s *Service) changeCase(
	ctx context.Context, id uuid.UUID, key *idempotency.Key, change func(tx *postgres.Tx, c Case) error,
) (Case, error) {
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		if _, replayed, err := idempotency.Reserve(ctx, tx, key, id, s.Clock.Now()); err != nil || replayed {
			return err
		}
		c, err := lockCase(ctx, tx, id)
		if err != nil {
			return err
		}
		return change(tx, c)
	})
	if err != nil {
		return Case{}, err
	}
	return s.Get(ctx, id)
}

// decide carries out the ruling on a locked case.
func (s *Service) decide(ctx context.Context, tx *postgres.Tx, admin uuid.UUID, c Case, ruling Ruling) error {
	now := s.Clock.Now()
	c.Action, c.Reason, c.DecidedAt = ruling.Action, ruling.Reason, &now
	if ruling.Action == Suspend {
		until := now.Add(time.Duration(ruling.Days) * day)
		c.Until = &until
	}
	if err := setDecided(ctx, tx, c, admin); err != nil {
		return err
	}
	if c.Action.locksOut() {
		if err := s.suspend(ctx, tx, c); err != nil {
			return err
		}
	}
	if hider := s.hiderOf(c.Subject); hider != nil && (c.Action == Hide || c.Action.locksOut()) {
		if err := hider.Hide(ctx, tx, c.SubjectID, c.ID); err != nil {
			return err
		}
	}
	if err := s.tellAccused(ctx, tx, c); err != nil {
		return err
	}
	if err := s.tellReporters(ctx, tx, c); err != nil {
		return err
	}
	s.Events.QueueChanged(tx, realtime.QueueReports, c.ID)
	return audit.Record(ctx, tx, audit.Entry{
		At: now, Actor: actor.User(admin), Action: "report.decide", Subject: caseSubject(c.ID), Details: map[string]any{
			"user": c.Accused.ID, "subject": c.Subject, "subjectId": c.SubjectID, "action": c.Action, "reason": c.Reason, "until": c.Until,
		},
	})
}

// caseSubject names a case in the audit log.
func caseSubject(id uuid.UUID) string { return "report:" + id.String() }

// hiderOf returns what hides things of a kind, nil if nothing does.
func (s *Service) hiderOf(about Subject) Hider {
	switch about {
	case Post:
		return s.Posts
	case Review:
		return s.Reviews
	case Message, Person:
	}
	return nil
}

// suspend disables the account of the accused for the decision, unless one that ends later does so
// already. Code Forbidden if the accused is an admin.
func (s *Service) suspend(ctx context.Context, tx *postgres.Tx, c Case) error {
	staff, err := lockAccused(ctx, tx, c.Accused.ID)
	if err != nil {
		return err
	}
	if staff {
		return fault.New(fault.Forbidden, "staff_not_suspendable", "You cannot suspend Amanat's staff.")
	}
	present, suspended, err := findSuspension(ctx, tx, c.Accused.ID)
	if err != nil {
		return err
	}
	if suspended && present.endsAfter(c.Until) {
		return nil
	}
	return s.Accounts.Suspend(ctx, tx, c.Accused.ID, c.ID, *c.DecidedAt)
}

// noticeOf returns the notification about a decision, "" for a user who cannot sign in to read it.
func noticeOf(action Action) catalog.Kind {
	switch action {
	case Warn:
		return catalog.ModerationWarned
	case Hide:
		return catalog.ModerationHidden
	case Dismiss, Suspend, Ban:
	}
	return ""
}

// tellAccused notifies and mails the accused, unless the case was dismissed.
func (s *Service) tellAccused(ctx context.Context, tx *postgres.Tx, c Case) error {
	if c.Action == Dismiss {
		return nil
	}
	if kind := noticeOf(c.Action); kind != "" {
		if err := s.Notices.Notify(ctx, tx, c.Accused.ID, kind, catalog.Params{"reason": c.Reason}, decisionLink(c.ID)); err != nil {
			return err
		}
	}
	return enqueueLetter(ctx, tx, s.Jobs, c.ID, jobs.LetterDecision)
}

// decisionLink is the page of a decision for the person concerned.
func decisionLink(id uuid.UUID) string { return "/decisions/" + id.String() }

func (s *Service) tellReporters(ctx context.Context, tx *postgres.Tx, c Case) error {
	kind := catalog.ReportActionTaken
	if c.Action == Dismiss {
		kind = catalog.ReportNoViolation
	}
	reporters, err := listReporters(ctx, tx, c.ID)
	if err != nil {
		return err
	}
	for _, reporter := range reporters {
		if err := s.Notices.Notify(ctx, tx, reporter, kind, catalog.Params{"name": c.Snapshot.Name()}, "/reports"); err != nil {
			return err
		}
	}
	return nil
}
