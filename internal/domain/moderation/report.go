package moderation

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/sanitize"
	"amanat/internal/money/idempotency"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

const (
	maxText = 1000
	// maxReports bounds the reports of a case, all of whose reporters are told of its decision.
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
	return getReport(ctx, s.DB, made)
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
		count, err := countReports(ctx, tx, caseID)
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
	s.Events.QueueChanged(tx, realtime.QueueReports, caseID)
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
		existing, open, err := lockOpenCase(ctx, tx, draft.Subject, draft.SubjectID)
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
