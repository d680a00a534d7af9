// Package feedback holds what people write to the provider outside of a deal: bug reports and messages of the contact form. They reach
// support as mail and admins as a list.
package feedback

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/money/idempotency"
	"amanat/internal/platform/catalog"
	"amanat/internal/platform/clock"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/mailer"
	"amanat/internal/platform/postgres"
	"amanat/internal/platform/sanitize"
	"amanat/internal/queue/jobs"
	"amanat/internal/realtime"
)

// Texts of success.
const (
	MessageReported = "Thank you! Your report has been submitted."
	MessageSent     = "Thank you! Your message has been sent."
)

// Limits of what people may write.
const (
	maxName    = 100
	maxSubject = 200
	maxText    = 5_000
)

// Queues tells admins that a row of one of their lists has come, once the transaction has committed; *realtime.Log does.
type Queues interface {
	QueueChanged(tx *postgres.Tx, queue realtime.Queue, id uuid.UUID)
}

// Service takes what people write. It is safe for concurrent use.
type Service struct {
	DB     postgres.DB
	Clock  clock.Clock
	Jobs   jobs.Enqueuer
	Queues Queues
}

// Author is who writes; ID is nil for a visitor.
type Author struct {
	ID       *uuid.UUID
	Username string
	Email    string
}

// BugReport is a report of something that does not work.
type BugReport struct {
	ID          uuid.UUID
	ReportedBy  string // username of who was signed in, "" when nobody
	Name        string
	Email       string
	Subject     string
	Description string
	CreatedAt   time.Time
}

// ContactMessage is what somebody wrote in the contact form.
type ContactMessage struct {
	ID        uuid.UUID
	SentBy    string // username of who was signed in, "" when nobody
	Name      string
	Email     string
	Message   string
	CreatedAt time.Time
}

// Report keeps a bug report, has it mailed to support and tells the admins. Anybody may call it; who is signed in need not enter name and
// e-mail. Codes: Invalid with the first rule that fails; IdempotencyMismatch. A replay reports nothing anew.
func (s *Service) Report(ctx context.Context, author Author, in BugReport, key *idempotency.Key) error {
	in.Subject, in.Description = sanitize.Line(in.Subject), sanitize.Text(in.Description)
	in.Name = cmp.Or(sanitize.Line(in.Name), author.Username)
	in.Email = cmp.Or(strings.TrimSpace(in.Email), author.Email)
	err := firstFault(
		required("subject", "Subject", in.Subject),
		required("description", "Description", in.Description),
		address(in.Email),
		short("name", "Name", in.Name, maxName),
		short("subject", "Subject", in.Subject, maxSubject),
		short("description", "Description", in.Description, maxText),
	)
	if err != nil {
		return err
	}
	in.ID, in.CreatedAt = uuid.Must(uuid.NewV7()), s.Clock.Now()
	_, err = idempotency.Create(ctx, s.DB, key, in.ID, s.Clock.Now(), func(tx *postgres.Tx) error {
		if err := insertBugReport(ctx, tx, author.ID, in); err != nil {
			return err
		}
		if err := s.enqueue(ctx, tx, jobs.BugReportMail{ReportID: in.ID}); err != nil {
			return err
		}
		s.Queues.QueueChanged(tx, realtime.QueueBugReports, in.ID)
		return s.tellAdmins(ctx, tx, notice{
			kind: catalog.AdminBugReport, ofVisitor: catalog.AdminVisitorBugReport,
			subjectID: in.ID, author: author, subject: in.Subject, link: "/admin/bug-reports",
		})
	})
	return err
}

// Contact keeps a message of the contact form, has it mailed to support and tells the admins. Anybody may call it. Codes and replays as
// for Report.
func (s *Service) Contact(ctx context.Context, author Author, in ContactMessage, key *idempotency.Key) error {
	in.Name, in.Email, in.Message = sanitize.Line(in.Name), strings.TrimSpace(in.Email), sanitize.Text(in.Message)
	err := firstFault(
		required("name", "Name", in.Name),
		required("email", "Email", in.Email),
		address(in.Email),
		required("message", "Message", in.Message),
		short("name", "Name", in.Name, maxName),
		short("message", "Message", in.Message, maxText),
	)
	if err != nil {
		return err
	}
	in.ID, in.CreatedAt = uuid.Must(uuid.NewV7()), s.Clock.Now()
	_, err = idempotency.Create(ctx, s.DB, key, in.ID, s.Clock.Now(), func(tx *postgres.Tx) error {
		if err := insertContactMessage(ctx, tx, author.ID, in); err != nil {
			return err
		}
		if err := s.enqueue(ctx, tx, jobs.ContactMail{MessageID: in.ID}); err != nil {
			return err
		}
		s.Queues.QueueChanged(tx, realtime.QueueContactMessages, in.ID)
		return s.tellAdmins(ctx, tx, notice{
			kind: catalog.AdminContact, ofVisitor: catalog.AdminVisitorContact,
			subjectID: in.ID, author: author, link: "/admin/contact-messages",
		})
	})
	return err
}

// BugReports returns a slice of all reports, newest first, and how many there are. It is for admins.
func (s *Service) BugReports(ctx context.Context, page postgres.Page) ([]BugReport, int, error) {
	return listBugReports(ctx, s.DB, page)
}

// ContactMessages returns a slice of all messages, newest first, and how many there are. It is for admins.
func (s *Service) ContactMessages(ctx context.Context, page postgres.Page) ([]ContactMessage, int, error) {
	return listContactMessages(ctx, s.DB, page)
}

// notice is what admins are told. A visitor's has words of its own, without the name that the visitor gives: that may be anybody's.
type notice struct {
	kind, ofVisitor catalog.Kind
	subjectID       uuid.UUID
	author          Author
	subject         string
	link            string
}

func (s *Service) tellAdmins(ctx context.Context, tx *postgres.Tx, n notice) error {
	kind, params := n.kind, catalog.Params{"username": n.author.Username, "subject": n.subject}
	if n.author.ID == nil {
		kind, params = n.ofVisitor, catalog.Params{"subject": n.subject}
	}
	return s.enqueue(ctx, tx, jobs.AdminNotice{
		NoticeKind: string(kind), Params: params, AboutID: n.author.ID, SubjectID: n.subjectID, Link: n.link,
	})
}

// address allows an empty one.
func address(email string) error {
	if email != "" && !mailer.ValidAddress(email) {
		return fault.Field("email", "Invalid email")
	}
	return nil
}

func required(field, label, value string) error {
	if value == "" {
		return fault.Field(field, label+" is required.")
	}
	return nil
}

func short(field, label, value string, most int) error {
	if utf8.RuneCountInString(value) > most {
		return fault.Field(field, fmt.Sprintf("%s may have up to %d characters.", label, most))
	}
	return nil
}

func firstFault(faults ...error) error {
	for _, f := range faults {
		if f != nil {
			return f
		}
	}
	return nil
}
