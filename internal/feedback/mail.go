package feedback

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/riverqueue/river"

	"amanat/internal/mailer"
	"amanat/internal/postgres"
	"amanat/internal/texts"
)

func (s *Service) enqueue(ctx context.Context, tx *postgres.Tx, job river.JobArgs) error {
	if _, err := s.Jobs.InsertTx(ctx, tx, job, nil); err != nil {
		return fmt.Errorf("enqueue %s: %w", job.Kind(), err)
	}
	return nil
}

// MailReport forwards a bug report to support. It is for workers. A crash after sending sends again: at least once, never none.
func (s *Service) MailReport(ctx context.Context, id uuid.UUID) error {
	report, err := findBugReport(ctx, s.DB, id)
	if err != nil {
		return err
	}
	subject := texts.Render(texts.English, texts.MailBugReport, texts.Params{"subject": report.Subject})
	return s.forward(ctx, subject, report.Description, sender{report.Name, report.Email, report.ReportedBy})
}

// MailContact forwards a message of the contact form to support. It is for workers, as MailReport is.
func (s *Service) MailContact(ctx context.Context, id uuid.UUID) error {
	message, err := findContactMessage(ctx, s.DB, id)
	if err != nil {
		return err
	}
	subject := texts.Render(texts.English, texts.MailContact, texts.Params{"name": message.Name})
	return s.forward(ctx, subject, message.Message, sender{message.Name, message.Email, message.SentBy})
}

type sender struct{ name, email, username string }

// forward writes to support, in its language; an answer goes to who wrote.
func (s *Service) forward(ctx context.Context, subject, body string, from sender) error {
	kind := texts.MailSender
	if from.username == "" {
		kind = texts.MailSenderUnknown
	}
	line := texts.Render(texts.English, kind, texts.Params{"name": from.name, "email": from.email, "username": from.username})
	message, err := mailer.Compose(mailer.Letter{
		To: s.Support, ReplyTo: from.email, Language: texts.English, Subject: subject, Paragraphs: []string{body, line},
	})
	if err != nil {
		return err
	}
	return s.Mail.Send(ctx, message)
}
