package accounts

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/mailer"
	"amanat/internal/lib/postgres"
	"amanat/queue/jobs"
)

// enqueueMail enqueues an email to the user, sent if the transaction commits.
func (s *Service) enqueueMail(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, letter string) error {
	if _, err := s.jobs.InsertTx(ctx, tx, jobs.AccountMail{UserID: userID, Letter: letter}, nil); err != nil {
		return fmt.Errorf("enqueue %s: %w", letter, err)
	}
	return nil
}

// enqueueChangeMail enqueues an email about a change of address, sent if the transaction commits.
func (s *Service) enqueueChangeMail(ctx context.Context, tx *postgres.Tx, changeID uuid.UUID, letter string) error {
	if _, err := s.jobs.InsertTx(ctx, tx, jobs.EmailChangeMail{ChangeID: changeID, Letter: letter}, nil); err != nil {
		return fmt.Errorf("enqueue %s: %w", letter, err)
	}
	return nil
}

// Mailer sends emails about accounts. It is for workers.
type Mailer struct {
	DB        postgres.DB
	Clock     clock.Clock
	Mail      mailer.Sender
	PublicURL string // base of the links, without a trailing slash
}

// template describes one kind of email.
type template struct {
	subject, body, linkText catalog.Kind
	path                    string
	purpose                 purpose // of the link's token; "" if the link has none
}

var templates = map[string]template{
	jobs.LetterVerifyEmail: {
		subject: catalog.MailVerify, body: catalog.MailVerifyBody, linkText: catalog.MailVerifyLink, path: "/verify-email", purpose: forVerify,
	},
	jobs.LetterResetPassword: {
		subject: catalog.MailReset, body: catalog.MailResetBody, linkText: catalog.MailResetLink, path: "/reset-password", purpose: forReset,
	},
	jobs.LetterPasswordChanged: {
		subject: catalog.MailPassword, body: catalog.MailPasswordBody, linkText: catalog.MailPasswordLink, path: "/forgot-password",
	},
	jobs.LetterMailCode: {
		subject: catalog.MailCode, body: catalog.MailCodeBody, linkText: catalog.MailPasswordLink, path: "/forgot-password",
		purpose: forOwner,
	},
	jobs.LetterFactorOn: {
		subject: catalog.FactorOn, body: catalog.MailFactorOnBody, linkText: catalog.MailPasswordLink, path: "/not-my-factor",
		purpose: forFactor,
	},
	jobs.LetterFactorOff:      aboutFactor(catalog.FactorOff),
	jobs.LetterFactorReset:    aboutFactor(catalog.FactorReset),
	jobs.LetterTOTPAdded:      aboutFactor(catalog.TOTPAdded),
	jobs.LetterTOTPRemoved:    aboutFactor(catalog.TOTPRemoved),
	jobs.LetterPasskeyAdded:   aboutFactor(catalog.PasskeyAdded),
	jobs.LetterPasskeyRemoved: aboutFactor(catalog.PasskeyRemoved),
	jobs.LetterBackupCodesNew: aboutFactor(catalog.BackupCodesNew),
	jobs.LetterBackupCodeUsed: aboutFactor(catalog.BackupCodeUsed),
	jobs.LetterDataExportReady: {
		subject: catalog.DataExportReady, body: catalog.MailDataExportBody, linkText: catalog.MailDataExportLink, path: settingsPage,
	},
}

// aboutFactor returns the email about a change of the second factor, which says the same as the
// notification.
func aboutFactor(notice catalog.Kind) template {
	return template{subject: notice, body: catalog.MailFactorBody, linkText: catalog.MailPasswordLink, path: "/forgot-password"}
}

var changeTemplates = map[string]template{
	jobs.LetterEmailConfirm: {
		subject: catalog.MailEmailConfirm, body: catalog.MailEmailConfirmBody, linkText: catalog.MailEmailConfirmLink,
		path: "/confirm-email", purpose: forEmailConfirm,
	},
	jobs.LetterEmailUndo: {
		subject: catalog.MailEmailUndo, body: catalog.MailEmailUndoBody, linkText: catalog.MailEmailUndoLink,
		path: "/undo-email", purpose: forEmailUndo,
	},
}

// closedTemplate is the last email to the owner of a closed account.
var closedTemplate = template{subject: catalog.MailClosed, body: catalog.MailClosedBody, linkText: catalog.MailOpen, path: "/"}

// SendClosedLetter tells the owner of a closed account that it is closed, at the address that the
// account had. It sends nothing once the address is deleted. It is for workers.
func (m *Mailer) SendClosedLetter(ctx context.Context, userID uuid.UUID) error {
	account, found, err := findClosedAccount(ctx, m.DB, userID)
	if err != nil || !found {
		return err
	}
	reader := User{Username: account.Username, Email: account.Email, Language: account.Language}
	return m.send(ctx, reader, closedTemplate, "", catalog.Params{"username": reader.Username}, []catalog.Kind{catalog.MailClosedKept})
}

// SendChangeLetter sends an email about a change of address: to the new address the link that
// applies it, or to the former one the link that undoes it. It sends nothing about a change that
// has ended, and no link to an address that has become the account's. As in SendLetter, the token
// is created here. It is for workers.
func (m *Mailer) SendChangeLetter(ctx context.Context, job jobs.EmailChangeMail) error {
	tmpl, known := changeTemplates[job.Letter]
	if !known {
		return fmt.Errorf("accounts: unknown letter %q", job.Letter)
	}
	change, found, err := postgres.Optional(findEmailChange(ctx, m.DB, job.ChangeID))
	if err != nil || !found || change.EndedAt != nil || (tmpl.purpose == forEmailConfirm && !change.pending()) {
		return err
	}
	reader, err := findReader(ctx, m.DB, change.UserID)
	if errors.Is(err, errNoUser) {
		return nil // disabled in the meantime
	}
	if err != nil {
		return err
	}
	token := newToken()
	if err := insertChangeToken(ctx, m.DB, change, tmpl.purpose, token, m.Clock.Now()); err != nil {
		return err
	}
	var more []catalog.Kind
	reader.Email = change.NewEmail
	if tmpl.purpose == forEmailUndo {
		reader.Email = change.OldEmail
		more = []catalog.Kind{catalog.MailEmailUndoHow}
	}
	return m.send(ctx, reader, tmpl, token, catalog.Params{"username": reader.Username, "email": change.NewEmail}, more)
}

// SendLetter sends an account email in the user's language. The token of the link is created here
// and stored only as a hash, before sending: every attempt sends a working link of its own, and job
// arguments contain nothing that helps to take over an account. Delivery is at least once: after a
// crash between sending and completion, the email is sent again. It is for workers.
func (m *Mailer) SendLetter(ctx context.Context, job jobs.AccountMail) error {
	tmpl, known := templates[job.Letter]
	if !known {
		return fmt.Errorf("accounts: unknown letter %q", job.Letter)
	}
	reader, err := findReader(ctx, m.DB, job.UserID)
	if errors.Is(err, errNoUser) || (tmpl.purpose == forVerify && reader.IsVerified) {
		return nil // disabled or verified in the meantime
	}
	if err != nil {
		return err
	}
	params := catalog.Params{"username": reader.Username}
	maps.Copy(params, job.Params)
	if tmpl.purpose == "" {
		return m.send(ctx, reader, tmpl, "", params, nil)
	}
	token, shown := newToken(), Token("")
	if tmpl.purpose == forOwner { // the code stands in the text
		code := newMailCode()
		token, params["code"] = codeToken(reader.ID, code), code[:mailCodeDigits/2]+" "+code[mailCodeDigits/2:]
	} else {
		shown = token
	}
	if err := insertMailedToken(ctx, m.DB, reader.ID, tmpl.purpose, token, m.Clock.Now()); err != nil {
		return err
	}
	return m.send(ctx, reader, tmpl, shown, params, nil)
}

// send composes and sends an email with the body and the additional paragraphs. The link carries
// the token unless it is "".
func (m *Mailer) send(
	ctx context.Context, reader User, tmpl template, token Token, params catalog.Params, more []catalog.Kind,
) error {
	text := func(kind catalog.Kind) string { return catalog.Render(reader.Language, kind, params) }
	paragraphs := []string{text(tmpl.body)}
	for _, kind := range more {
		paragraphs = append(paragraphs, text(kind))
	}
	message, err := mailer.Compose(mailer.Email{
		To:         reader.Email,
		Language:   reader.Language,
		Subject:    text(tmpl.subject),
		Paragraphs: paragraphs,
		LinkText:   text(tmpl.linkText),
		Link:       m.link(tmpl.path, token),
		Assurance:  text(catalog.MailAssurance),
		Footer:     text(catalog.MailFooter),
	})
	if err != nil {
		return err
	}
	return m.Mail.Send(ctx, message)
}

// link returns the URL of a page, with the token in the fragment unless it is "". Browsers do not
// send the fragment, so the token appears in no server or proxy log and no Referer.
func (m *Mailer) link(path string, token Token) string {
	if token == "" {
		return m.PublicURL + path
	}
	return m.PublicURL + path + "#token=" + string(token)
}
