package api

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/accounts"
	"amanat/internal/lib/fault"
)

// registerFactor serves the settings of the second factor.
func (s *Server) registerFactor() {
	register(s, endpoint{
		id: "second-factor", method: http.MethodGet, path: "/auth/second-factor", tag: accountTag,
		summary: "The second factor of the user: authenticator app, passkeys and backup codes",
	}, s.secondFactor)
	register(s, endpoint{
		id: "totp", method: http.MethodPost, path: "/auth/second-factor/totp", tag: accountTag, access: enrolling,
		summary: "Get a secret for an authenticator app, without effect until it is confirmed with a code",
		codes:   []fault.Code{fault.Conflict},
	}, s.totp)
	register(s, endpoint{
		id: "totp-confirm", method: http.MethodPost, path: "/auth/second-factor/totp/confirm", tag: accountTag, access: enrolling,
		summary: "Turn the authenticator app on with a first code; all other sessions end if it is the first factor",
		codes:   []fault.Code{fault.Conflict, fault.RateLimited},
	}, s.totpConfirm)
	register(s, endpoint{
		id: "totp-remove", method: http.MethodPost, path: "/auth/second-factor/totp/remove", tag: accountTag, access: confirmed,
		summary: "Remove the authenticator app; all other sessions end",
		codes:   []fault.Code{fault.Conflict},
	}, s.totpRemove)
	register(s, endpoint{
		id: "backup-codes", method: http.MethodPost, path: "/auth/second-factor/backup-codes", tag: accountTag, access: confirmed,
		summary: "Make ten new backup codes; the former ones no longer work",
		codes:   []fault.Code{fault.Conflict},
	}, s.backupCodes)
	register(s, endpoint{
		id: "confirm-options", method: http.MethodPost, path: "/auth/confirm/options", tag: accountTag,
		summary: "What the browser asks a passkey with, to confirm something as the signed-in user",
		codes:   []fault.Code{fault.Conflict},
	}, s.confirmOptions)
	register(s, endpoint{
		id: "mail-code", method: http.MethodPost, path: "/auth/mail-code", tag: accountTag,
		summary: "Have a code of eight digits mailed, as calls that are refused with mail_code_required need it",
		codes:   []fault.Code{fault.Conflict, fault.RateLimited},
	}, s.mailCode)
	register(s, endpoint{
		id: "confirm-mail-code", method: http.MethodPost, path: "/auth/confirm-mail-code", tag: accountTag,
		summary: "Enter the code that was mailed: for ten minutes, the session counts as its owner's",
		codes:   []fault.Code{fault.RateLimited},
	}, s.confirmMailCode)
	register(s, endpoint{
		id: "remove-factor", method: http.MethodPost, path: "/auth/remove-factor", tag: accountTag, access: anyone,
		summary: "Say with the token of the mailed link that somebody else turned two-step login on: it is removed, all sessions end, and no " +
			"money leaves the account before the password is reset",
	}, s.removeFactor)
}

// Passkey is one of the user's passkeys.
type Passkey struct {
	ID         uuid.UUID  `json:"_id"`
	Name       string     `json:"name" example:"My phone"`
	CreatedAt  time.Time  `json:"createdAt"`
	LastUsedAt *time.Time `json:"lastUsedAt" doc:"Null before the first use."`
}

func passkeyOf(p accounts.Passkey) Passkey {
	return Passkey{ID: p.ID, Name: p.Name, CreatedAt: p.CreatedAt, LastUsedAt: p.LastUsedAt}
}

// SecondFactor is the second factor of a user. It is on with an authenticator app or a passkey.
type SecondFactor struct {
	TOTP            bool      `json:"totp" doc:"Whether an authenticator app is set up."`
	Passkeys        []Passkey `json:"passkeys"`
	BackupCodesLeft int       `json:"backupCodesLeft" example:"10"`
	Required        bool      `json:"required" doc:"Whether the user, an admin, cannot do without."`
}

func (s *Server) secondFactor(ctx context.Context, _ *struct{}) (*output[SecondFactor], error) {
	factor, err := s.accounts.FactorOf(ctx, actor(ctx))
	return respond(SecondFactor{
		TOTP: factor.TOTP, Passkeys: mapped(factor.Passkeys, passkeyOf), BackupCodesLeft: factor.BackupCodesLeft, Required: factor.Required,
	}), err
}

// NewTOTP is a secret for an authenticator app.
type NewTOTP struct {
	Secret string `json:"secret" doc:"In base32, to type." example:"GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"`
	URI    string `json:"uri" doc:"For the QR code." example:"otpauth://totp/Amanat:rahim?issuer=Amanat&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"`
}

func (s *Server) totp(ctx context.Context, _ *struct{}) (*output[NewTOTP], error) {
	fresh, err := s.accounts.BeginTOTP(ctx, actor(ctx))
	return respond(NewTOTP(fresh)), err
}

// BackupCodes are new backup codes, which the server cannot show again.
type BackupCodes struct {
	Codes []string `json:"backupCodes" example:"[\"7K2MP-9XQ4T\"]"`
}

func (s *Server) totpConfirm(ctx context.Context, in *struct{ Payload Payload[CodeBody] }) (*output[BackupCodes], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	codes, err := s.accounts.ConfirmTOTP(ctx, c.user, c.session, body.Code)
	if err != nil {
		return nil, err
	}
	s.securityEvent(ctx, slog.LevelInfo, "authenticator app added", &c.user.ID)
	return respond(BackupCodes{codes}), nil
}

func (s *Server) totpRemove(ctx context.Context, _ *struct{}) (*output[Message], error) {
	c := callOf(ctx)
	if err := s.accounts.RemoveTOTP(ctx, c.user, c.session); err != nil {
		return nil, err
	}
	s.securityEvent(ctx, slog.LevelInfo, "authenticator app removed", &c.user.ID)
	return respond(Message{catalog.Outcome{Code: "totp_removed", Message: "The authenticator app is removed."}}), nil
}

func (s *Server) backupCodes(ctx context.Context, _ *struct{}) (*output[BackupCodes], error) {
	user := actor(ctx)
	codes, err := s.accounts.RenewBackupCodes(ctx, user)
	if err != nil {
		return nil, err
	}
	s.securityEvent(ctx, slog.LevelInfo, "backup codes made", &user.ID)
	return respond(BackupCodes{codes}), nil
}

func (s *Server) confirmOptions(ctx context.Context, _ *struct{}) (*output[PasskeyOptions], error) {
	c := callOf(ctx)
	options, err := s.accounts.BeginConfirmation(ctx, c.user, c.session)
	return respondOptions(options, err)
}

func (s *Server) mailCode(ctx context.Context, _ *struct{}) (*output[Message], error) {
	err := s.accounts.SendMailCode(ctx, actor(ctx))
	return respond(Message{catalog.Outcome{Code: "mail_code_sent", Message: "We have mailed you a code."}}), err
}

// MailCodeBody is a body with a mailed code.
type MailCodeBody struct {
	Code string `json:"code" doc:"Spaces and dashes are ignored; Bangla digits are fine." example:"48217730"`
}

func (s *Server) confirmMailCode(ctx context.Context, in *struct{ Payload Payload[MailCodeBody] }) (*rotated, error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	token, err := s.accounts.ConfirmMailCode(ctx, c.user, c.session, body.Code)
	s.proofEvent(ctx, err)
	if err != nil {
		return nil, err
	}
	return s.rotated(token, catalog.Outcome{Code: "mail_code_confirmed", Message: "Code confirmed."}), nil
}

func (s *Server) removeFactor(ctx context.Context, in *struct{ Payload Payload[LinkBody] }) (*output[Message], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	userID, err := s.accounts.RemoveFactor(ctx, accounts.Token(body.Token), s.wallet.Disown)
	if err != nil {
		return nil, err
	}
	s.securityEvent(ctx, slog.LevelWarn, "second factor removed by link", &userID)
	done := catalog.Outcome{Code: "factor_removed", Message: "Two-step login is off, and no money leaves your account for now."}
	return respond(Message{done}), nil
}

// ProofBody is a body with a proof of the second factor: one of the two.
type ProofBody struct {
	Code       string         `json:"code,omitempty" doc:"Of the authenticator app, or a backup code." example:"123456"`
	Credential map[string]any `json:"credential,omitempty" doc:"The AuthenticationResponseJSON of the browser to the options of /auth/confirm/options."`
}

func (b ProofBody) proof() accounts.Proof {
	return accounts.Proof{Code: b.Code, Credential: credentialOf(b.Credential)}
}
