package accounts

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"amanat/internal/mailer"
	"amanat/internal/postgres"
	"amanat/internal/texts"
	"amanat/queue/jobs"
)

// enqueueLetter has a letter sent to the user, if the transaction commits.
func (s *Service) enqueueLetter(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, letter string) error {
	if _, err := s.jobs.InsertTx(ctx, tx, jobs.AccountMail{UserID: userID, Letter: letter}, nil); err != nil {
		return fmt.Errorf("enqueue %s: %w", letter, err)
	}
	return nil
}

// form is what tells one letter from another.
type form struct {
	subject, body, linkText texts.Kind
	path                    string
	purpose                 purpose // of the link's token; "": the link carries none
}

var forms = map[string]form{
	jobs.LetterVerifyEmail: {
		subject: texts.MailVerify, body: texts.MailVerifyBody, linkText: texts.MailVerifyLink, path: "/verify-email", purpose: forVerify,
	},
	jobs.LetterResetPassword: {
		subject: texts.MailReset, body: texts.MailResetBody, linkText: texts.MailResetLink, path: "/reset-password", purpose: forReset,
	},
	jobs.LetterPasswordChanged: {
		subject: texts.MailPassword, body: texts.MailPasswordBody, linkText: texts.MailPasswordLink, path: "/forgot-password",
	},
}

// SendLetter mails a letter to its reader, in his language. A link's token is made here, and only its hash is stored, before it is sent:
// each attempt sends a link of its own that works, and a job's arguments tell nobody how to take over an account. It is for workers. A
// crash after sending sends again: at least once, never none.
func (s *Service) SendLetter(ctx context.Context, job jobs.AccountMail) error {
	form, known := forms[job.Letter]
	if !known {
		return fmt.Errorf("accounts: unknown letter %q", job.Letter)
	}
	reader, err := findReader(ctx, s.db, job.UserID)
	if errors.Is(err, errNoUser) || (form.purpose == forVerify && reader.IsVerified) {
		return nil // disabled or verified since
	}
	if err != nil {
		return err
	}
	link := s.publicURL + form.path
	if form.purpose != "" {
		token := newToken()
		if err := insertMailedToken(ctx, s.db, reader.ID, form.purpose, token, s.clock.Now()); err != nil {
			return err
		}
		link += "?token=" + string(token)
	}
	text := func(kind texts.Kind) string {
		return texts.Render(reader.Language, kind, texts.Params{"username": reader.Username})
	}
	message, err := mailer.Compose(mailer.Letter{
		To:         reader.Email,
		Language:   reader.Language,
		Subject:    text(form.subject),
		Paragraphs: []string{text(form.body)},
		LinkText:   text(form.linkText),
		Link:       link,
		Assurance:  text(texts.MailAssurance),
		Footer:     text(texts.MailFooter),
	})
	if err != nil {
		return err
	}
	return s.mail.Send(ctx, message)
}
