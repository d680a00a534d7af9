// Package feedback receives messages to the provider outside of deals: bug reports and messages
// from the contact form. They are emailed to support and listed for admins.
package feedback

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/riverqueue/river"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/mailer"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/sanitize"
	"amanat/internal/money/idempotency"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// Outcomes.
var (
	OutcomeReported = catalog.Outcome{Code: "bug_reported", Message: "Thank you! Your report has been submitted."}
	OutcomeSent     = catalog.Outcome{Code: "contact_sent", Message: "Thank you! Your message has been sent."}
)

// Maximum lengths, in characters.
const (
	maxName    = 100
	maxSubject = 200
	maxText    = 5_000
)

// Worklists notifies admins, once the transaction has committed, that a row was added to one of
// their lists. *realtime.Log implements it.
type Worklists interface {
	WorklistChanged(tx *postgres.Tx, list realtime.Worklist, id uuid.UUID)
}

// Service accepts bug reports and contact messages. It is safe for concurrent use.
type Service struct {
	DB        postgres.DB
	Clock     clock.Clock
	Jobs      jobs.Enqueuer
	Worklists Worklists
}

// Author is the sender; ID is nil for a visitor.
type Author struct {
	ID       *uuid.UUID
	Username string
	Email    string
}

// BugReport is a report of something that does not work.
type BugReport struct {
	ID          uuid.UUID
	ReportedBy  string // username of the signed-in user, "" for a visitor
	Name        string
	Email       string
	Subject     string
	Description string
	CreatedAt   time.Time
}

// ContactMessage is a message from the contact form.
type ContactMessage struct {
	ID        uuid.UUID
	SentBy    string // username of the signed-in user, "" for a visitor
	Name      string
	Email     string
	Message   string
	CreatedAt time.Time
}

// Report stores a bug report, emails it to support and notifies the admins. Anyone may call it;
// signed-in users may omit name and email address. Codes: Invalid with the first rule that fails;
// IdempotencyMismatch. A replay has no effect.
func (s *Service) Report(ctx context.Context, author Author, in BugReport, key *idempotency.Key) error {
	in.Subject, in.Description = sanitize.Line(in.Subject), sanitize.Text(in.Description)
	in.Name = cmp.Or(sanitize.Line(in.Name), author.Username)
	in.Email = cmp.Or(mailer.NormalAddress(in.Email), author.Email)
	err := firstFault(
		required(in.Subject, fault.Field("subject", "subject_missing", "Subject is required.")),
		required(in.Description, fault.Field("description", "description_missing", "Description is required.")),
		address(in.Email),
		maxLength(in.Name, maxName, errNameTooLong),
		maxLength(in.Subject, maxSubject, errSubjectTooLong),
		maxLength(in.Description, maxText, errDescriptionTooLong),
	)
	if err != nil {
		return err
	}
	in.ID, in.CreatedAt = uuid.Must(uuid.NewV7()), s.Clock.Now()
	_, err = idempotency.Create(ctx, s.DB, key, in.ID, s.Clock.Now(), func(tx *postgres.Tx) error {
		if err := insertBugReport(ctx, tx, author.ID, in); err != nil {
			return err
		}
		if err := s.enqueue(ctx, tx, jobs.SupportMail{MailKind: string(catalog.MailBugReport), SubjectID: in.ID}); err != nil {
			return err
		}
		s.Worklists.WorklistChanged(tx, realtime.WorklistBugReports, in.ID)
		return s.notifyAdmins(ctx, tx, notice{
			kind: catalog.AdminBugReport, ofVisitor: catalog.AdminVisitorBugReport,
			subjectID: in.ID, author: author, subject: in.Subject, link: "/admin/bug-reports",
		})
	})
	return err
}

// Contact stores a message from the contact form, emails it to support and notifies the admins.
// Anyone may call it. Codes and replays as for Report.
func (s *Service) Contact(ctx context.Context, author Author, in ContactMessage, key *idempotency.Key) error {
	in.Name, in.Email, in.Message = sanitize.Line(in.Name), mailer.NormalAddress(in.Email), sanitize.Text(in.Message)
	err := firstFault(
		required(in.Name, fault.Field("name", "name_missing", "Name is required.")),
		required(in.Email, fault.Field("email", "email_missing", "Email is required.")),
		address(in.Email),
		required(in.Message, fault.Field("message", "message_missing", "Message is required.")),
		maxLength(in.Name, maxName, errNameTooLong),
		maxLength(in.Message, maxText, errMessageTooLong),
	)
	if err != nil {
		return err
	}
	in.ID, in.CreatedAt = uuid.Must(uuid.NewV7()), s.Clock.Now()
	_, err = idempotency.Create(ctx, s.DB, key, in.ID, s.Clock.Now(), func(tx *postgres.Tx) error {
		if err := insertContactMessage(ctx, tx, author.ID, in); err != nil {
			return err
		}
		if err := s.enqueue(ctx, tx, jobs.SupportMail{MailKind: string(catalog.MailContact), SubjectID: in.ID}); err != nil {
			return err
		}
		s.Worklists.WorklistChanged(tx, realtime.WorklistContactMessages, in.ID)
		return s.notifyAdmins(ctx, tx, notice{
			kind: catalog.AdminContact, ofVisitor: catalog.AdminVisitorContact,
			subjectID: in.ID, author: author, link: "/admin/contact-messages",
		})
	})
	return err
}

// BugReports returns a page of all reports, newest first, and their total number. It is for admins.
func (s *Service) BugReports(ctx context.Context, page postgres.Page) ([]BugReport, int, error) {
	return listBugReports(ctx, s.DB, page)
}

// ContactMessages returns a page of all messages, newest first, and their total number. It is for
// admins.
func (s *Service) ContactMessages(ctx context.Context, page postgres.Page) ([]ContactMessage, int, error) {
	return listContactMessages(ctx, s.DB, page)
}

// notice is a notification to admins. That of a visitor has a text of its own without the name the
// visitor entered, which may be another person's.
type notice struct {
	kind, ofVisitor catalog.Kind
	subjectID       uuid.UUID
	author          Author
	subject         string
	link            string
}

func (s *Service) notifyAdmins(ctx context.Context, tx *postgres.Tx, n notice) error {
	kind, params := n.kind, catalog.Params{"username": n.author.Username, "subject": n.subject}
	if n.author.ID == nil {
		kind, params = n.ofVisitor, catalog.Params{"subject": n.subject}
	}
	return s.enqueue(ctx, tx, jobs.AdminNotice{
		NoticeKind: string(kind), Params: params, AboutID: n.author.ID, SubjectID: n.subjectID, Link: n.link,
	})
}

// address checks an email address, which may be empty.
func address(email string) error {
	if email != "" && !mailer.ValidAddress(email) {
		return fault.Field("email", "email_invalid", "Invalid email")
	}
	return nil
}

func required(value string, missing error) error {
	if value == "" {
		return missing
	}
	return nil
}

func maxLength(value string, most int, tooLong func(fault.Params) error) error {
	if utf8.RuneCountInString(value) > most {
		return tooLong(fault.Params{"count": most})
	}
	return nil
}

func errNameTooLong(most fault.Params) error {
	return fault.Fieldf("name", "name_too_long", "Name may have up to {count} characters.", most)
}

func errSubjectTooLong(most fault.Params) error {
	return fault.Fieldf("subject", "subject_too_long", "Subject may have up to {count} characters.", most)
}

func errDescriptionTooLong(most fault.Params) error {
	return fault.Fieldf("description", "description_too_long", "Description may have up to {count} characters.", most)
}

func errMessageTooLong(most fault.Params) error {
	return fault.Fieldf("message", "message_too_long", "Message may have up to {count} characters.", most)
}

func firstFault(faults ...error) error {
	for _, f := range faults {
		if f != nil {
			return f
		}
	}
	return nil
}

func (s *Service) enqueue(ctx context.Context, tx *postgres.Tx, job river.JobArgs) error {
	if _, err := s.Jobs.InsertTx(ctx, tx, job, nil); err != nil {
		return fmt.Errorf("enqueue %s: %w", job.Kind(), err)
	}
	return nil
}

// Forwarder emails reports, messages and the heads of the chains to support. It is for workers.
type Forwarder struct {
	DB      postgres.DB
	Mail    mailer.Sender
	Support string // e-mail address
}

// MailReport forwards a bug report to support. Delivery is at least once: after a crash between
// sending and completion, it is sent again.
func (f *Forwarder) MailReport(ctx context.Context, id uuid.UUID) error {
	report, found, err := findBugReport.Find(ctx, f.DB, postgres.Args{"id": id})
	if err != nil || !found { // erased with its author's account
		return err
	}
	subject := catalog.Render(catalog.English, catalog.MailBugReport, catalog.Params{"subject": report.Subject})
	return f.forward(ctx, subject, report.Description, sender{report.Name, report.Email, report.ReportedBy})
}

// MailContact forwards a contact message to support, as MailReport does.
func (f *Forwarder) MailContact(ctx context.Context, id uuid.UUID) error {
	message, found, err := findContactMessage.Find(ctx, f.DB, postgres.Args{"id": id})
	if err != nil || !found {
		return err
	}
	subject := catalog.Render(catalog.English, catalog.MailContact, catalog.Params{"name": message.Name})
	return f.forward(ctx, subject, message.Message, sender{message.Name, message.Email, message.SentBy})
}

// MailHeads emails the heads of the chains to support, as MailReport does: whoever can rewrite the
// database cannot rewrite a mailbox.
func (f *Forwarder) MailHeads(ctx context.Context, kind catalog.Kind, heads map[string]string) error {
	var paragraphs []string
	for _, chain := range slices.Sorted(maps.Keys(heads)) {
		paragraphs = append(paragraphs, chain+": "+heads[chain])
	}
	message, err := mailer.Compose(mailer.Email{
		To: f.Support, Language: catalog.English, Subject: catalog.Render(catalog.English, kind, nil),
		Paragraphs: append(paragraphs, catalog.Render(catalog.English, catalog.MailHeadsHow, nil)),
	})
	if err != nil {
		return err
	}
	return f.Mail.Send(ctx, message)
}

type sender struct{ name, email, username string }

// forward sends an email in English to support; replies go to the sender of the report.
func (f *Forwarder) forward(ctx context.Context, subject, body string, from sender) error {
	kind := catalog.MailSender
	if from.username == "" {
		kind = catalog.MailSenderUnknown
	}
	line := catalog.Render(catalog.English, kind, catalog.Params{"name": from.name, "email": from.email, "username": from.username})
	message, err := mailer.Compose(mailer.Email{
		To: f.Support, ReplyTo: from.email, Language: catalog.English, Subject: subject, Paragraphs: []string{body, line},
	})
	if err != nil {
		return err
	}
	return f.Mail.Send(ctx, message)
}
