package accounts

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/mailer"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/ratelimit"
	"amanat/queue/jobs"
)

// purpose is what a mailed link or code may be used for.
type purpose string

const (
	forReset   purpose = "reset_password"
	forVerify  purpose = "verify_email"
	forConfirm purpose = "confirm_withdrawal"
	forStop    purpose = "stop_withdrawal"

	forEmailConfirm purpose = "change_email"
	forEmailUndo    purpose = "undo_email"

	forAppeal purpose = "appeal"

	forOwner  purpose = "confirm_owner" // a code, not a link
	forFactor purpose = "remove_factor"
)

// appealTime is how long a decision of moderation can be appealed against.
const appealTime = 14 * 24 * time.Hour

// linkTime is how long most links work.
const linkTime = 24 * time.Hour

// life is how long a link works after it was mailed. A reset link outlives the interval after which
// the next may be requested, so an attacker who exhausts the limit of an address still leaves its
// owner a working link.
func (p purpose) life() time.Duration {
	switch p {
	case forVerify, forConfirm, forEmailConfirm:
		return linkTime
	case forStop, forFactor:
		return 7 * 24 * time.Hour
	case forEmailUndo: // mailed when the change is asked for
		return linkTime + undoTime
	case forAppeal:
		return appealTime
	case forOwner:
		return 15 * time.Minute
	case forReset:
	}
	return 30 * time.Minute
}

func errToken() error { return fault.Field("token", "token_invalid", "Invalid or missing token") }

// RequestReset emails a reset link to the owner of an email address and returns the user for the
// log. Any visitor may call it. Calls for a known address count by mailbox and client network;
// calls for an unknown address count by client network only, under a wider limit of their own.
// Codes: Invalid if the address is empty, NotFound if no account has it, RateLimited.
func (s *Service) RequestReset(ctx context.Context, email string, client Client) (User, error) {
	email = mailer.NormalAddress(email)
	if email == "" {
		return User{}, fault.Field("email", "email_missing", "Email is required.")
	}
	user, err := findByEmail(ctx, s.db, email)
	if errors.Is(err, errNoUser) {
		if err := s.take(ctx, ratelimit.Limit{Name: "forgot-unknown", Rate: s.limits.ResetUnknown}.For(client.Network())); err != nil {
			return User{}, err
		}
		return User{}, fault.New(fault.NotFound, "email_unknown", "No account has this email address.")
	}
	if err != nil {
		return User{}, err
	}
	address := ratelimit.Limit{Name: "forgot-address", Rate: s.limits.ResetAddress}.For(client.Network())
	if err := s.take(ctx, s.resetBucket(user.Email), address); err != nil {
		return User{}, err
	}
	return user, postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		return s.enqueueMail(ctx, tx, user.ID, catalog.MailReset)
	})
}

// ResetInput is a new password with the token of the link and the browser's known-browser token, ""
// if it has none.
type ResetInput struct {
	Password string
	Token    Token
	Browser  Token
}

// ResetPassword sets a new password, ends all sessions and forgets all browsers except the one
// where it was set, whose new token it returns, so that failed guesses from elsewhere do not lock
// the owner out. It lifts the owner's own stop of withdrawals. Anyone with the link may call it,
// once. Code Invalid.
func (s *Service) ResetPassword(ctx context.Context, in ResetInput) (userID uuid.UUID, browser Token, err error) {
	if err := validateNewPassword("password", in.Password); err != nil {
		return uuid.UUID{}, "", err
	}
	now := s.clock.Now()
	if err := s.checkReset(ctx, in, now); err != nil {
		return uuid.UUID{}, "", err
	}
	hash, err := s.hasher.hash(ctx, string(in.Token), in.Password) // slow, so only after the token is checked
	if err != nil {
		return uuid.UUID{}, "", err
	}
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		// Lock order is the user's row, then the links, as in ChangePassword. If the link has been
		// used meanwhile, the transaction is rolled back.
		if userID, err = findMailedToken(ctx, tx, forReset, in.Token, now); err != nil {
			return err
		}
		if _, err := setPassword.Any(ctx, tx,
			postgres.Args{"user": userID, "current": "", "hash": hash, "strong": strong(in.Password)}); err != nil {
			return err
		}
		if _, err := useMailedToken(ctx, tx, forReset, in.Token, now); err != nil {
			return err
		}
		if err := setReset.Run(ctx, tx, postgres.Args{"user": userID, "now": now}); err != nil {
			return err
		}
		if err := s.afterNewPassword(ctx, tx, userID, nil, ""); err != nil {
			return err
		}
		browser, err = s.rememberBrowser(ctx, tx, userID, in.Browser, false)
		return err
	})
	return userID, browser, tokenFault(err)
}

// checkReset finds the user of the link and checks the strength of the password for that user. Code
// Invalid.
func (s *Service) checkReset(ctx context.Context, in ResetInput, now time.Time) error {
	userID, err := findMailedToken(ctx, s.db, forReset, in.Token, now)
	if err != nil {
		return tokenFault(err)
	}
	user, err := findReader(ctx, s.db, userID)
	if errors.Is(err, errNoUser) {
		return errToken()
	}
	if err != nil {
		return err
	}
	return s.checkStrength("password", in.Password, user.owner())
}

// tokenFault turns errNoToken into the error for a token that is unknown, used or expired.
func tokenFault(err error) error {
	if errors.Is(err, errNoToken) {
		return errToken()
	}
	return err
}

// ChangeInput is a signed-in user's current and new password.
type ChangeInput struct {
	Current string
	New     string
}

// ChangePassword sets a new password for the signed-in user, ends all other sessions, forgets all
// other browsers and invalidates outstanding reset links. It returns the session's new token: see
// confirm. Codes: Invalid, RateLimited after too many wrong entries of the current password,
// Unauthenticated if the session has ended meanwhile.
func (s *Service) ChangePassword(
	ctx context.Context, user User, session Session, browser Token, in ChangeInput,
) (token Token, err error) {
	if err := s.checkChange(user, in); err != nil {
		return "", err
	}
	current, err := s.checkPassword(ctx, user, "currentPassword", in.Current)
	if err != nil {
		return "", err
	}
	hash, err := s.hasher.hash(ctx, user.ID.String(), in.New)
	if err != nil {
		return "", err
	}
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		changed, err := setPassword.Any(ctx, tx, postgres.Args{"user": user.ID, "current": current, "hash": hash, "strong": strong(in.New)})
		if err != nil {
			return err
		}
		if !changed { // reset while this call was hashing
			return errIncorrect("currentPassword")
		}
		if err := s.afterNewPassword(ctx, tx, user.ID, &session.ID, browser); err != nil {
			return err
		}
		token, err = s.confirm(ctx, tx, session, proved{password: true})
		return err
	})
	return token, err
}

// checkChange validates the input before the slow steps.
func (s *Service) checkChange(user User, in ChangeInput) error {
	if in.Current == "" {
		return fault.Field("currentPassword", "password_missing", "Password is required.")
	}
	if err := validateNewPassword("newPassword", in.New); err != nil {
		return err
	}
	return s.checkStrength("newPassword", in.New, user.owner())
}

// afterNewPassword ends all sessions and forgets all browsers except those given, invalidates
// outstanding reset links and emails the user. The user's row is written first, so concurrent
// logins with the old password wait for it.
func (s *Service) afterNewPassword(
	ctx context.Context, tx *postgres.Tx, userID uuid.UUID, keepSession *uuid.UUID, keepBrowser Token,
) error {
	if err := s.endAll(ctx, tx, userID, keepSession); err != nil {
		return err
	}
	if err := deleteBrowsers(ctx, tx, userID, keepBrowser); err != nil {
		return err
	}
	if err := useUpMailedTokens(ctx, tx, userID, forReset, s.clock.Now()); err != nil {
		return err
	}
	// Logins with the old password that wait for the second factor.
	if err := deleteChallengesOf.Run(ctx, tx, postgres.Args{"user": userID}); err != nil {
		return err
	}
	return s.enqueueMail(ctx, tx, userID, catalog.MailPassword)
}

// validateNewPassword checks a replacement password, with fixed texts (docs/rules.md#texts).
func validateNewPassword(field, password string) error {
	switch length := utf8.RuneCountInString(password); {
	case length < minPassword:
		return fault.Field(field, "new_password_too_short", "Password must be at least 6 characters long.")
	case length > maxPassword:
		return fault.Field(field, "password_too_long", "Password must be at most 200 characters")
	}
	return nil
}

// enqueueMail enqueues an email about a user or a change of address, sent if the transaction
// commits.
func (s *Service) enqueueMail(ctx context.Context, tx *postgres.Tx, about uuid.UUID, kind catalog.Kind) error {
	if _, err := s.jobs.InsertTx(ctx, tx, jobs.Mail{MailKind: string(kind), SubjectID: about}, nil); err != nil {
		return fmt.Errorf("enqueue %s: %w", kind, err)
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

// template describes one kind of email, beside its subject.
type template struct {
	body, linkText catalog.Kind
	path           string
	purpose        purpose // of the link's token; "" if the link has none
}

// templates are those of the emails to the owner of an account, by subject.
var templates = map[catalog.Kind]template{
	catalog.MailVerify: {
		body: catalog.MailVerifyBody, linkText: catalog.MailVerifyLink, path: "/verify-email", purpose: forVerify,
	},
	catalog.MailReset: {
		body: catalog.MailResetBody, linkText: catalog.MailResetLink, path: "/reset-password", purpose: forReset,
	},
	catalog.MailPassword: {
		body: catalog.MailPasswordBody, linkText: catalog.MailPasswordLink, path: "/forgot-password",
	},
	catalog.MailCode: {
		body: catalog.MailCodeBody, linkText: catalog.MailPasswordLink, path: "/forgot-password",
		purpose: forOwner,
	},
	catalog.FactorOn: {
		body: catalog.MailFactorOnBody, linkText: catalog.MailPasswordLink, path: "/not-my-factor",
		purpose: forFactor,
	},
	catalog.FactorOff:      factorTemplate,
	catalog.FactorReset:    factorTemplate,
	catalog.TOTPAdded:      factorTemplate,
	catalog.TOTPRemoved:    factorTemplate,
	catalog.PasskeyAdded:   factorTemplate,
	catalog.PasskeyRemoved: factorTemplate,
	catalog.BackupCodesNew: factorTemplate,
	catalog.BackupCodeUsed: factorTemplate,
	catalog.DataExportReady: {
		body: catalog.MailDataExportBody, linkText: catalog.MailDataExportLink, path: settingsPage,
	},
}

// factorTemplate is the email about a change of the second factor, whose subject says the same as
// the notification.
var factorTemplate = template{body: catalog.MailFactorBody, linkText: catalog.MailPasswordLink, path: "/forgot-password"}

var changeTemplates = map[catalog.Kind]template{
	catalog.MailEmailConfirm: {
		body: catalog.MailEmailConfirmBody, linkText: catalog.MailEmailConfirmLink,
		path: "/confirm-email", purpose: forEmailConfirm,
	},
	catalog.MailEmailUndo: {
		body: catalog.MailEmailUndoBody, linkText: catalog.MailEmailUndoLink,
		path: "/undo-email", purpose: forEmailUndo,
	},
}

// closedTemplate is the last email to the owner of a closed account.
var closedTemplate = template{body: catalog.MailClosedBody, linkText: catalog.MailOpen, path: "/"}

// SendClosed tells the owner of a closed account that it is closed, at the address that the
// account had. It sends nothing once the address is deleted. It is for workers.
func (m *Mailer) SendClosed(ctx context.Context, userID uuid.UUID) error {
	account, found, err := findClosedAccount.Find(ctx, m.DB, postgres.Args{"user": userID})
	if err != nil || !found {
		return err
	}
	reader := User{Username: account.Username, Email: account.Email, Language: account.Language}
	params := catalog.Params{"username": reader.Username}
	return m.send(ctx, reader, catalog.MailClosed, closedTemplate, "", params, []catalog.Kind{catalog.MailClosedKept})
}

// SendChange sends an email about a change of address: to the new address the link that
// applies it, or to the former one the link that undoes it. It sends nothing about a change that
// has ended, and no link to an address that has become the account's. As in Send, the token
// is created here. It is for workers.
func (m *Mailer) SendChange(ctx context.Context, changeID uuid.UUID, kind catalog.Kind) error {
	tmpl, known := changeTemplates[kind]
	if !known {
		return fmt.Errorf("accounts: unknown mail %q", kind)
	}
	change, found, err := findEmailChange.Find(ctx, m.DB, postgres.Args{"id": changeID})
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
	return m.send(ctx, reader, kind, tmpl, token, catalog.Params{"username": reader.Username, "email": change.NewEmail}, more)
}

// Send sends an account email in the user's language. The token of the link is created here
// and stored only as a hash, before sending: every attempt sends a working link of its own, and job
// arguments contain nothing that helps to take over an account. Delivery is at least once: after a
// crash between sending and completion, the email is sent again. It is for workers.
func (m *Mailer) Send(ctx context.Context, userID uuid.UUID, kind catalog.Kind, more catalog.Params) error {
	tmpl, known := templates[kind]
	if !known {
		return fmt.Errorf("accounts: unknown mail %q", kind)
	}
	reader, err := findReader(ctx, m.DB, userID)
	if errors.Is(err, errNoUser) || (tmpl.purpose == forVerify && reader.IsVerified) {
		return nil // disabled or verified in the meantime
	}
	if err != nil {
		return err
	}
	params := catalog.Params{"username": reader.Username}
	maps.Copy(params, more)
	if tmpl.purpose == "" {
		return m.send(ctx, reader, kind, tmpl, "", params, nil)
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
	return m.send(ctx, reader, kind, tmpl, shown, params, nil)
}

// send sends the email.
func (m *Mailer) send(
	ctx context.Context, reader User, subject catalog.Kind, tmpl template, token Token, params catalog.Params, more []catalog.Kind,
) error {
	return m.deliver(ctx, m.email(reader, subject, tmpl, token, params, more))
}

// email returns an email with the body and the additional paragraphs. The link carries the token
// unless it is "".
func (m *Mailer) email(
	reader User, subject catalog.Kind, tmpl template, token Token, params catalog.Params, more []catalog.Kind,
) mailer.Email {
	text := func(kind catalog.Kind) string { return catalog.Render(reader.Language, kind, params) }
	paragraphs := []string{text(tmpl.body)}
	for _, kind := range more {
		paragraphs = append(paragraphs, text(kind))
	}
	return mailer.Email{
		To:         reader.Email,
		Language:   reader.Language,
		Subject:    text(subject),
		Paragraphs: paragraphs,
		LinkText:   text(tmpl.linkText),
		Link:       m.link(tmpl.path, token),
		Assurance:  text(catalog.MailAssurance),
		Footer:     text(catalog.MailFooter),
	}
}

func (m *Mailer) deliver(ctx context.Context, email mailer.Email) error {
	message, err := mailer.Compose(email)
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
