// Package moderation handles reports of users, posts, messages and reviews, the decisions of admins
// about them, and appeals against the decisions (docs/rules.md#moderation). All open reports of one
// thing form a case, which admins decide as a whole. What a decision does to an account, a post or
// a review is done by their own packages, in the transaction of the decision.
package moderation

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/app/user"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
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
	Pictures []uuid.UUID // of a delivery
	Price    *money.Cents
	Category string
	Rating   *int
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
	ClaimedBy       *user.Ref
	ClaimedUntil    *time.Time
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
