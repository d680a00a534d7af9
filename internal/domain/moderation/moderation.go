// Package moderation handles reports of users, posts, messages and reviews, the decisions of admins
// about them, and appeals against the decisions (docs/rules.md#moderation). All open reports of one
// thing form a case, which admins decide as a whole. What a decision does to an account, a post or
// a review is done by their own packages, in the transaction of the decision.
package moderation

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/app/user"
	"amanat/internal/app/worklist"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/sanitize"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// Subject is the kind of thing that is reported.
type Subject string

// Subjects.
const (
	Post    Subject = "post"
	Message Subject = "message"
	Person  Subject = "user"
	Review  Subject = "review"
)

// Subjects returns all kinds of things that can be reported.
func Subjects() []Subject { return []Subject{Post, Message, Person, Review} }

// hideable reports whether a decision can hide things of this kind.
func (s Subject) hideable() bool { return s == Post || s == Review }

// Reason is why something is reported.
type Reason string

// falseReview is a reason for reviews only, and other needs a description.
const (
	falseReview Reason = "false_review"
	other       Reason = "other"
)

// Reasons returns all reasons.
func Reasons() []Reason {
	return []Reason{"scam", "off_platform", "abuse", "sexual", "illegal", "impersonation", "spam", falseReview, other}
}

// fits reports whether things of a kind can be reported for the reason.
func (r Reason) fits(s Subject) bool {
	return slices.Contains(Reasons(), r) && (r != falseReview || s == Review)
}

// Action is what a decision does.
type Action string

// Actions. Hide, Suspend and Ban also hide the reported post or review.
const (
	Dismiss Action = "dismiss"
	Warn    Action = "warn"
	Hide    Action = "hide"
	Suspend Action = "suspend"
	Ban     Action = "ban"
)

// Actions returns all actions.
func Actions() []Action { return []Action{Dismiss, Warn, Hide, Suspend, Ban} }

// locksOut reports whether the action disables the account.
func (a Action) locksOut() bool { return a == Suspend || a == Ban }

// Status is where a case stands.
type Status string

// Statuses. A closed case is one whose appeal was decided.
const (
	Open     Status = "open"
	Decided  Status = "decided"
	Appealed Status = "appealed"
	Closed   Status = "closed"
)

// appealTime is how long a decision can be appealed against.
const appealTime = 14 * 24 * time.Hour

// Account is a user as a case shows them.
type Account struct {
	user.Ref
	IsVerified   bool
	SecondFactor bool
	CreatedAt    time.Time
}

// Content is what was reported, or what it has become. Fields that its kind does not have are zero.
type Content struct {
	Username string // of the author, or of the user
	Title    string
	Text     string
	ImageID  *uuid.UUID
	Pictures []uuid.UUID // of a delivery, or of a post after its first
	Price    *money.Cents
	Category string
	Rating   *int
	Facts    map[string]any // of a post
}

// Image returns the URL of the content's image, "" if it has none.
func (c Content) Image() string {
	if c.ImageID == nil {
		return ""
	}
	return images.URL(*c.ImageID)
}

// Name returns what the content is called: the title of a post, otherwise the username.
func (c Content) Name() string {
	if c.Title != "" {
		return c.Title
	}
	return c.Username
}

// Excerpt returns the beginning of the text.
func (c Content) Excerpt() string { return catalog.Shorten(c.Text, catalog.InList) }

// Case is all reports of one thing until they are decided, the decision, and its appeal.
type Case struct {
	ID              uuid.UUID
	Subject         Subject
	SubjectID       uuid.UUID
	Accused         Account
	Snapshot        Content // at the first report
	Reports         int
	Reasons         []Reason // of the reports, each once
	FirstReportedAt time.Time
	Claim           *worklist.Claim
	Action          Action // "" while it is open
	Reason          string // of the decision
	Until           *time.Time
	DecidedBy       *user.Ref
	DecidedAt       *time.Time
	Appeal          *Appeal
}

// Status returns where the case stands.
func (c Case) Status() Status {
	switch {
	case c.DecidedAt == nil:
		return Open
	case c.Appeal == nil:
		return Decided
	case c.Appeal.DecidedAt == nil:
		return Appealed
	}
	return Closed
}

// AppealUntil returns until when the decision can be appealed against.
func (c Case) AppealUntil() time.Time { return c.DecidedAt.Add(appealTime) }

// CanAppeal reports whether the decision can be appealed against.
func (c Case) CanAppeal(now time.Time) bool {
	return c.DecidedAt != nil && c.Action != Dismiss && c.Appeal == nil && now.Before(c.AppealUntil())
}

// Appeal is the objection of the person concerned to a decision.
type Appeal struct {
	Text       string
	CreatedAt  time.Time
	Overturned bool
	Answer     string
	DecidedBy  *user.Ref
	DecidedAt  *time.Time // nil: it waits
}

// Status returns "open", "upheld" or "overturned".
func (a Appeal) Status() string {
	switch {
	case a.DecidedAt == nil:
		return "open"
	case a.Overturned:
		return "overturned"
	}
	return "upheld"
}

// Accounts disables and enables accounts for decisions. *accounts.Service implements it.
type Accounts interface {
	Resumer
	// Suspend disables a user for a decision and ends their sessions, unless the account is
	// disabled for another reason than a decision.
	Suspend(ctx context.Context, tx *postgres.Tx, userID, decision uuid.UUID, at time.Time) error
}

// Resumer enables accounts that decisions have disabled. *accounts.Resumer implements it.
type Resumer interface {
	// Resume enables a user who is disabled for a decision.
	Resume(ctx context.Context, tx *postgres.Tx, userID uuid.UUID) error
}

// Links are the links to appeals that are mailed with decisions. *accounts.Service implements it.
type Links interface {
	// AppealOf returns the decision of a link. Code Invalid if it does not work.
	AppealOf(ctx context.Context, q postgres.Querier, token string) (decision uuid.UUID, err error)
	// UseUpAppeal makes the links of a decision stop working.
	UseUpAppeal(ctx context.Context, tx *postgres.Tx, decision uuid.UUID) error
}

// Hider hides posts or reviews. *posts.Service and *reviews.Service implement it.
type Hider interface {
	Hide(ctx context.Context, tx *postgres.Tx, id, decision uuid.UUID) error
	Unhide(ctx context.Context, tx *postgres.Tx, decision uuid.UUID) error
}

// Notifier notifies a user of a change, in the transaction that makes it.
type Notifier interface {
	Notify(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, kind catalog.Kind, params catalog.Params, link string) error
}

// Service implements the use cases of the api. It is safe for concurrent use.
type Service struct {
	DB       postgres.DB
	Clock    clock.Clock
	Events   *realtime.Log
	Notices  Notifier
	Jobs     jobs.Enqueuer
	Accounts Accounts
	Links    Links
	Posts    Hider
	Reviews  Hider
	// FactorForAdmins is whether admins without a second factor cannot decide anything
	// (docs/rules.md#second-factor-admins).
	FactorForAdmins bool
}

// Settler ends suspensions that have run out, and composes emails about decisions. It is for
// workers.
type Settler struct {
	DB       postgres.DB
	Clock    clock.Clock
	Notices  Notifier
	Jobs     jobs.Enqueuer
	Accounts Resumer
}

// Outcomes.
var (
	OutcomeReported      = catalog.Outcome{Code: "report_sent", Message: "Thank you. We will look at it and tell you what we decide."}
	OutcomeClaimed       = catalog.Outcome{Code: "case_claimed", Message: "You have five minutes for this case."}
	OutcomeDecided       = catalog.Outcome{Code: "case_decided", Message: "The decision has been made."}
	OutcomeAppealed      = catalog.Outcome{Code: "appeal_sent", Message: "Your appeal has been sent."}
	OutcomeAppealDecided = catalog.Outcome{Code: "appeal_decided", Message: "The appeal has been decided."}
)

func errNoCase() error { return fault.New(fault.NotFound, "case_not_found", "Case not found.") }

func errNoDecision() error {
	return fault.New(fault.NotFound, "decision_not_found", "Decision not found.")
}

const (
	maxText = 1000
	// maxReports bounds the reports of a case: every reporter is notified of the decision.
	maxReports = 500
)

// Draft is the input of Report. Zero values stand for omitted fields.
type Draft struct {
	Subject   Subject
	SubjectID uuid.UUID
	Reason    Reason
	Text      string
}

// Report is a user's report as they see it themselves. It does not say what a decision has done.
type Report struct {
	ID          uuid.UUID
	Subject     Subject
	SubjectID   uuid.UUID
	SubjectName string
	Reason      Reason
	Text        string
	CreatedAt   time.Time
	Action      Action     // of the decision, not for the reporter; "" while the case is open
	DecidedAt   *time.Time // nil while the case is open
}

// Outcome returns what the reporter learns of the decision: "" while there is none, "action_taken"
// or "no_violation".
func (r Report) Outcome() string {
	switch r.Action {
	case "":
		return ""
	case Dismiss:
		return "no_violation"
	case Warn, Hide, Suspend, Ban:
	}
	return "action_taken"
}

// Report reports something to the admins, who are notified if it is the first open report of it.
// Codes: Invalid with the first rule that fails; NotFound if the reporter cannot see the subject;
// Duplicate while an earlier report of theirs is open; Conflict if hundreds of users have reported
// it; IdempotencyMismatch. A replay returns the report that the key created.
func (s *Service) Report(ctx context.Context, reporter uuid.UUID, draft Draft, key *idempotency.Key) (Report, error) {
	draft.Text = sanitize.Text(draft.Text)
	if !slices.Contains(Subjects(), draft.Subject) {
		return Report{}, fault.Field("subject", "report_subject_missing", "Please choose what to report.")
	}
	id := uuid.Must(uuid.NewV7())
	made, err := idempotency.Create(ctx, s.DB, key, id, s.Clock.Now(), func(tx *postgres.Tx) error {
		found, err := findVisible(ctx, tx, draft.Subject, draft.SubjectID, reporter)
		if err != nil {
			return err
		}
		if err := draft.validate(reporter, found); err != nil {
			return err
		}
		return s.report(ctx, tx, reporter, id, draft, found)
	})
	if err != nil {
		return Report{}, err
	}
	return getReport.One(ctx, s.DB, postgres.Args{"id": made})
}

func (d Draft) validate(reporter uuid.UUID, found subject) error {
	switch {
	case found.AuthorID == reporter:
		return fault.New(fault.Invalid, "report_self", "You cannot report yourself.")
	case !d.Reason.fits(d.Subject):
		return fault.Field("reason", "report_reason_missing", "Please choose a reason.")
	case d.Reason == other && d.Text == "":
		return fault.Field("text", "report_text_missing", "Please describe the problem.")
	case utf8.RuneCountInString(d.Text) > maxText:
		return fault.Field("text", "report_text_too_long", "The description may have up to 1,000 characters.")
	}
	return nil
}

// report adds a report to the open case of the subject.
func (s *Service) report(ctx context.Context, tx *postgres.Tx, reporter, id uuid.UUID, draft Draft, found subject) error {
	now := s.Clock.Now()
	caseID, first, err := openCase(ctx, tx, draft, found, now)
	if err != nil {
		return err
	}
	if !first {
		count, err := countReports.One(ctx, tx, postgres.Args{"case": caseID})
		if err != nil {
			return err
		}
		if count >= maxReports {
			return fault.New(fault.Conflict, "report_many", "Many people have reported this. We are looking at it.")
		}
	}
	if err := insertReport(ctx, tx, id, caseID, reporter, draft, now); err != nil {
		return err
	}
	s.Events.WorklistChanged(tx, realtime.WorklistReports, caseID)
	if !first {
		return nil
	}
	return s.notifyAdmins(ctx, tx, catalog.AdminReport, caseID, found.AuthorID, found.Content.Username)
}

// openCase locks the open case of the subject and returns its ID, or creates it. If another
// transaction decides the case meanwhile, it waits for that and creates the next case.
func openCase(ctx context.Context, tx *postgres.Tx, draft Draft, found subject, now time.Time) (id uuid.UUID, first bool, err error) {
	for {
		id = uuid.Must(uuid.NewV7())
		if first, err = insertCase(ctx, tx, id, draft, found, now); err != nil || first {
			return id, first, err
		}
		existing, open, err := lockOpenCase.Find(ctx, tx, postgres.Args{"subject": draft.Subject, "id": draft.SubjectID})
		if err != nil || open {
			return existing, false, err
		}
	}
}

// ListReports returns a page of a user's own reports, newest first, and their total number.
func (s *Service) ListReports(ctx context.Context, reporter uuid.UUID, page postgres.Page) ([]Report, int, error) {
	return listReports(ctx, s.DB, reporter, page)
}

// notifyAdmins notifies the admins, except the accused, of a case that waits for them.
func (s *Service) notifyAdmins(
	ctx context.Context, tx *postgres.Tx, kind catalog.Kind, caseID, accused uuid.UUID, username string,
) error {
	_, err := s.Jobs.InsertTx(ctx, tx, jobs.AdminNotice{
		NoticeKind: string(kind), Params: catalog.Params{"username": username}, AboutID: &accused, SubjectID: caseID,
		Link: "/admin/reports", ExceptID: &accused,
	}, nil)
	return err
}

const (
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

// CaseQuery is what an admin looks for among the cases with a status. Search is the beginning of
// the username of the accused, their email, an id, or words of what was reported; "" selects all.
type CaseQuery struct {
	Status Status
	Search string
}

// Queue returns a page of the cases and their total number, without those about the admin: open and
// appealed ones oldest first, decided ones, closed ones among them, newest first. The caller has
// checked that the reader is an admin.
func (s *Service) Queue(ctx context.Context, admin uuid.UUID, query CaseQuery, page postgres.Page) ([]Case, int, error) {
	return listCases(ctx, s.DB, admin, query, page)
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
	if d.Listed, err = listCaseReports.Many(ctx, s.DB, postgres.Args{"case": id, "limit": maxListed}); err != nil {
		return Detail{}, err
	}
	d.History, err = listHistory.Many(ctx, s.DB, postgres.Args{"user": c.Accused.ID, "case": id, "limit": maxHistory})
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
		s.Events.WorklistChanged(tx, realtime.WorklistReports, id)
		return worklist.SetClaim(ctx, tx, "moderation_cases", id, admin, now)
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
	reported, err := hasReported.One(ctx, q, postgres.Args{"case": c.ID, "user": admin})
	if err == nil && reported {
		err = fault.New(fault.Forbidden, "own_report", "You cannot decide a case that you have reported.")
	}
	return err
}

// checkWaiting returns AlreadyHandled unless the case has one of the statuses and no other admin's
// claim is valid.
func (c Case) checkWaiting(admin uuid.UUID, now time.Time, statuses ...Status) error {
	row := worklist.Row{Waits: slices.Contains(statuses, c.Status()), HandledBy: c.DecidedBy, HandledAt: c.DecidedAt, Claim: c.Claim}
	if c.Status() == Closed {
		row.HandledBy, row.HandledAt = c.Appeal.DecidedBy, c.Appeal.DecidedAt
	}
	return row.Check(admin, now)
}
