package moderation

import (
	"context"
	"errors"
	"fmt"
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
	s.Events.WorklistChanged(tx, realtime.WorklistReports, c.ID)
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
	staff, err := lockAccused.One(ctx, tx, postgres.Args{"id": c.Accused.ID})
	if err != nil {
		return err
	}
	if staff {
		return fault.New(fault.Forbidden, "staff_not_suspendable", "You cannot suspend Amanat's staff.")
	}
	present, suspended, err := findSuspension.Find(ctx, tx, postgres.Args{"user": c.Accused.ID})
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
	return enqueueMail(ctx, tx, s.Jobs, c.ID, announcements[c.Action])
}

// decisionLink is the page of a decision for the person concerned.
func decisionLink(id uuid.UUID) string { return "/decisions/" + id.String() }

func (s *Service) tellReporters(ctx context.Context, tx *postgres.Tx, c Case) error {
	kind := catalog.ReportActionTaken
	if c.Action == Dismiss {
		kind = catalog.ReportNoViolation
	}
	reporters, err := listReporters.Many(ctx, tx, postgres.Args{"case": c.ID})
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
	if err := setAppeal.One(ctx, tx, postgres.Args{"id": c.ID, "text": text, "now": now}); err != nil {
		return err
	}
	if err := s.Links.UseUpAppeal(ctx, tx, c.ID); err != nil {
		return err
	}
	s.Events.WorklistChanged(tx, realtime.WorklistReports, c.ID)
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
	kind, mail := catalog.ModerationUpheld, catalog.MailUpheld
	if ruling.Overturn {
		kind, mail = catalog.ModerationOverturned, catalog.MailOverturned
		if err := s.undo(ctx, tx, c); err != nil {
			return err
		}
	}
	if !c.Accused.Closed {
		params := catalog.Params{"reason": ruling.Answer}
		if err := s.Notices.Notify(ctx, tx, c.Accused.ID, kind, params, decisionLink(c.ID)); err != nil {
			return err
		}
		if err := enqueueMail(ctx, tx, s.Jobs, c.ID, mail); err != nil {
			return err
		}
	}
	s.Events.WorklistChanged(tx, realtime.WorklistReports, c.ID)
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
	if _, err := lockAccused.One(ctx, tx, postgres.Args{"id": c.Accused.ID}); err != nil {
		return err
	}
	present, suspended, err := findSuspension.Find(ctx, tx, postgres.Args{"user": c.Accused.ID})
	if err != nil || !suspended || present.Decision != c.ID {
		return err
	}
	next, found, err := nextSuspension.Find(ctx, tx, postgres.Args{"user": c.Accused.ID, "except": c.ID, "now": s.Clock.Now()})
	if err != nil {
		return err
	}
	if found { // another decision still disables the account
		return s.Accounts.Suspend(ctx, tx, c.Accused.ID, next, s.Clock.Now())
	}
	return s.Accounts.Resume(ctx, tx, c.Accused.ID)
}

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
	people, err := listOverdue.Many(ctx, s.DB, postgres.Args{"now": s.Clock.Now(), "limit": sweepBatch})
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
		if _, err := lockAccused.One(ctx, tx, postgres.Args{"id": userID}); err != nil {
			return err
		}
		present, suspended, err := findSuspension.Find(ctx, tx, postgres.Args{"user": userID})
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
		return enqueueMail(ctx, tx, s.Jobs, present.Decision, catalog.MailSuspensionEnded)
	})
	return ended && err == nil, err
}

// announcements are the emails that announce decisions.
var announcements = map[Action]catalog.Kind{
	Warn: catalog.MailWarned, Hide: catalog.MailHidden, Suspend: catalog.MailSuspended, Ban: catalog.MailBanned,
}

// enqueueMail enqueues an email about a decision to the person concerned.
func enqueueMail(ctx context.Context, tx *postgres.Tx, enqueuer jobs.Enqueuer, decision uuid.UUID, kind catalog.Kind) error {
	_, err := enqueuer.InsertTx(ctx, tx, jobs.Mail{MailKind: string(kind), SubjectID: decision}, nil)
	return err
}

// Mail is what an email about a decision says.
type Mail struct {
	UserID    uuid.UUID
	Params    catalog.Params // reason, and until for a suspension
	CanAppeal bool
}

// MailOf returns what an email about a decision says. It is for workers.
func (s *Settler) MailOf(ctx context.Context, decision uuid.UUID, kind catalog.Kind) (Mail, error) {
	c, err := getCase(ctx, s.DB, decision)
	if err != nil {
		return Mail{}, err
	}
	l := Mail{UserID: c.Accused.ID, Params: catalog.Params{"reason": c.Reason}, CanAppeal: c.CanAppeal(s.Clock.Now())}
	if c.Until != nil {
		l.Params["until"] = c.Until.Format(time.RFC3339)
	}
	if kind != announcements[c.Action] && c.Appeal != nil {
		l.Params["reason"] = c.Appeal.Answer
	}
	return l, nil
}
