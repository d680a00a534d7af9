package accounts

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"amanat/internal/platform/catalog"
	"amanat/internal/platform/clock"
	"amanat/internal/platform/mailer"
	"amanat/internal/platform/postgres"
	"amanat/internal/queue/jobs"
)

// enqueueLetter has a letter sent to the user, if the transaction commits.
func (s *Service) enqueueLetter(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, letter string) error {
	if _, err := s.jobs.InsertTx(ctx, tx, jobs.AccountMail{UserID: userID, Letter: letter}, nil); err != nil {
		return fmt.Errorf("enqueue %s: %w", letter, err)
	}
	return nil
}

// Mailer sends the letters about accounts. It is for workers.
type Mailer struct {
	DB        postgres.DB
	Clock     clock.Clock
	Mail      mailer.Sender
	PublicURL string // of the links, without a slash at the end
}

// form is what tells one letter from another.
type form struct {
	subject, body, linkText catalog.Kind
	path                    string
	purpose                 purpose // of the link's token; "": the link carries none
}

var forms = map[string]form{
	jobs.LetterVerifyEmail: {
		subject: catalog.MailVerify, body: catalog.MailVerifyBody, linkText: catalog.MailVerifyLink, path: "/verify-email", purpose: forVerify,
	},
	jobs.LetterResetPassword: {
		subject: catalog.MailReset, body: catalog.MailResetBody, linkText: catalog.MailResetLink, path: "/reset-password", purpose: forReset,
	},
	jobs.LetterPasswordChanged: {
		subject: catalog.MailPassword, body: catalog.MailPasswordBody, linkText: catalog.MailPasswordLink, path: "/forgot-password",
	},
}

// SendLetter mails a letter to its reader, in the reader's language. A link's token is made here, and only its hash is stored, before it is sent:
// each attempt sends a link of its own that works, and a job's arguments tell nobody how to take over an account. It is for workers. A
// crash after sending sends again: at least once, never none.
func (m *Mailer) SendLetter(ctx context.Context, job jobs.AccountMail) error {
	form, known := forms[job.Letter]
	if !known {
		return fmt.Errorf("accounts: unknown letter %q", job.Letter)
	}
	reader, err := findReader(ctx, m.DB, job.UserID)
	if errors.Is(err, errNoUser) || (form.purpose == forVerify && reader.IsVerified) {
		return nil // disabled or verified since
	}
	if err != nil {
		return err
	}
	var token Token
	if form.purpose != "" {
		token = newToken()
		if err := insertMailedToken(ctx, m.DB, reader.ID, form.purpose, token, m.Clock.Now()); err != nil {
			return err
		}
	}
	return m.send(ctx, reader, form, token, catalog.Params{"username": reader.Username}, nil)
}

// send mails a letter to its reader: its body, and below it what else there is to say. The link carries the token, unless it is "".
func (m *Mailer) send(
	ctx context.Context, reader User, form form, token Token, params catalog.Params, more []catalog.Kind,
) error {
	text := func(kind catalog.Kind) string { return catalog.Render(reader.Language, kind, params) }
	paragraphs := []string{text(form.body)}
	for _, kind := range more {
		paragraphs = append(paragraphs, text(kind))
	}
	message, err := mailer.Compose(mailer.Email{
		To:         reader.Email,
		Language:   reader.Language,
		Subject:    text(form.subject),
		Paragraphs: paragraphs,
		LinkText:   text(form.linkText),
		Link:       m.link(form.path, token),
		Assurance:  text(catalog.MailAssurance),
		Footer:     text(catalog.MailFooter),
	})
	if err != nil {
		return err
	}
	return m.Mail.Send(ctx, message)
}

// link returns the address of a page, with a token for it in the fragment, which browsers keep to themselves: it is in no request, so in no
// log of a server or proxy and no Referer. "" adds none.
func (m *Mailer) link(path string, token Token) string {
	if token == "" {
		return m.PublicURL + path
	}
	return m.PublicURL + path + "#token=" + string(token)
}
