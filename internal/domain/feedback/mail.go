package feedback

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/riverqueue/river"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/mailer"
	"amanat/internal/lib/postgres"
)

func (s *Service) enqueue(ctx context.Context, tx *postgres.Tx, job river.JobArgs) error {
	if _, err := s.Jobs.InsertTx(ctx, tx, job, nil); err != nil {
		return fmt.Errorf("enqueue %s: %w", job.Kind(), err)
	}
	return nil
}

// Forwarder emails reports and messages to support. It is for workers.
type Forwarder struct {
	DB      postgres.DB
	Mail    mailer.Sender
	Support string // e-mail address
}

// MailReport forwards a bug report to support. Delivery is at least once: after a crash between
// sending and completion, it is sent again.
func (f *Forwarder) MailReport(ctx context.Context, id uuid.UUID) error {
	report, found, err := postgres.Optional(findBugReport(ctx, f.DB, id))
	if err != nil || !found { // erased with its author's account
		return err
	}
	subject := catalog.Render(catalog.English, catalog.MailBugReport, catalog.Params{"subject": report.Subject})
	return f.forward(ctx, subject, report.Description, sender{report.Name, report.Email, report.ReportedBy})
}

// MailContact forwards a contact message to support, as MailReport does.
func (f *Forwarder) MailContact(ctx context.Context, id uuid.UUID) error {
	message, found, err := postgres.Optional(findContactMessage(ctx, f.DB, id))
	if err != nil || !found {
		return err
	}
	subject := catalog.Render(catalog.English, catalog.MailContact, catalog.Params{"name": message.Name})
	return f.forward(ctx, subject, message.Message, sender{message.Name, message.Email, message.SentBy})
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
