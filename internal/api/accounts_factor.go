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

// registerPasskeys serves the passkeys of the signed-in user.
func (s *Server) registerPasskeys() {
	register(s, endpoint{
		id: "new-passkey-options", method: http.MethodPost, path: "/auth/second-factor/passkeys/options", tag: accountTag, access: enrolling,
		summary: "What the browser makes a passkey with",
		codes:   []fault.Code{fault.Conflict},
	}, s.newPasskeyOptions)
	register(s, endpoint{
		id: "new-passkey", method: http.MethodPost, path: "/auth/second-factor/passkeys", tag: accountTag, access: enrolling,
		status: http.StatusCreated, summary: "Add a passkey; all other sessions end if it is the first factor",
		codes: []fault.Code{fault.Conflict, fault.Duplicate},
	}, s.newPasskey)
	register(s, endpoint{
		id: "rename-passkey", method: http.MethodPatch, path: "/auth/second-factor/passkeys/{id}", tag: accountTag,
		visible: allowed(s.accounts.RequirePasskey),
		summary: "Rename one of one's passkeys",
	}, s.renamePasskey)
	register(s, endpoint{
		id: "remove-passkey", method: http.MethodDelete, path: "/auth/second-factor/passkeys/{id}", tag: accountTag, access: confirmed,
		summary: "Remove one of one's passkeys; all other sessions end",
		codes:   []fault.Code{fault.Conflict},
	}, s.removePasskey)
}

func (s *Server) newPasskeyOptions(ctx context.Context, _ *struct{}) (*output[PasskeyOptions], error) {
	c := callOf(ctx)
	options, err := s.accounts.BeginPasskey(ctx, c.user, c.session)
	return respondOptions(options, err)
}

// NewPasskeyBody is the body that adds a passkey.
type NewPasskeyBody struct {
	Name       string         `json:"name" doc:"1 to 50 characters." example:"My phone"`
	Credential map[string]any `json:"credential" doc:"The RegistrationResponseJSON of the browser."`
}

// NewPasskey is a passkey that was added.
type NewPasskey struct {
	Passkey Passkey  `json:"passkey"`
	Codes   []string `json:"backupCodes" nullable:"true" doc:"If the passkey is the first factor; the server cannot show them again." example:"[\"7K2MP-9XQ4T\"]"`
}

func (s *Server) newPasskey(ctx context.Context, in *struct{ Payload Payload[NewPasskeyBody] }) (*output[NewPasskey], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	input := accounts.PasskeyInput{Name: body.Name, Credential: credentialOf(body.Credential)}
	added, codes, err := s.accounts.AddPasskey(ctx, c.user, c.session, input)
	if err != nil {
		return nil, err
	}
	s.securityEvent(ctx, slog.LevelInfo, "passkey added", &c.user.ID)
	return respond(NewPasskey{Passkey: passkeyOf(added), Codes: codes}), nil
}

// RenameBody is the body that renames a passkey.
type RenameBody struct {
	Name string `json:"name" doc:"1 to 50 characters." example:"My phone"`
}

// RenameInput renames a passkey.
type RenameInput struct {
	IDPath
	Payload Payload[RenameBody]
}

func (s *Server) renamePasskey(ctx context.Context, in *RenameInput) (*output[Passkey], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	renamed, err := s.accounts.RenamePasskey(ctx, actor(ctx).ID, pathID(ctx), body.Name)
	return respond(passkeyOf(renamed)), err
}

func (s *Server) removePasskey(ctx context.Context, _ *IDPath) (*output[Message], error) {
	c := callOf(ctx)
	if err := s.accounts.RemovePasskey(ctx, c.user, c.session, pathID(ctx)); err != nil {
		return nil, err
	}
	s.securityEvent(ctx, slog.LevelInfo, "passkey removed", &c.user.ID)
	return respond(Message{catalog.Outcome{Code: "passkey_removed", Message: "The passkey is removed."}}), nil
}

func (s *Server) registerPasswords() {
	register(s, endpoint{
		id: "forgot-password", method: http.MethodPost, path: "/auth/forgot-password", tag: accountTag, access: anyone,
		summary: "Have a link for a new password mailed",
		codes:   []fault.Code{fault.NotFound, fault.RateLimited},
	}, s.forgotPassword)
	register(s, endpoint{
		id: "reset-password", method: http.MethodPost, path: "/auth/reset-password", tag: accountTag, access: anyone,
		summary: "Choose a new password with the token of the mailed link; all sessions end",
	}, s.resetPassword)
	register(s, endpoint{
		id: "change-password", method: http.MethodPost, path: "/auth/change-password", tag: accountTag,
		summary: "Choose a new password; all other sessions end",
		codes:   []fault.Code{fault.RateLimited},
	}, s.changePassword)
	register(s, endpoint{
		id: "confirm-password", method: http.MethodPost, path: "/auth/confirm-password", tag: accountTag,
		summary: "Enter the password again, and prove the second factor where it is on, " +
			"as money actions of admins and changes of the second factor require from time to time",
		codes: []fault.Code{fault.RateLimited, fault.SecondFactorRequired},
	}, s.confirmPassword)
	register(s, endpoint{
		id: "verify-email", method: http.MethodPost, path: "/auth/verify-email", tag: accountTag, access: anyone,
		summary: "Verify the e-mail address with the token of the mailed link",
	}, s.verifyEmail)
	register(s, endpoint{
		id: "resend-verification", method: http.MethodPost, path: "/auth/resend-verification", tag: accountTag,
		summary: "Have another link mailed that verifies the e-mail address",
		rateLimits: []rateLimit{
			perUser("verification", s.limits.VerificationLimit), perUser("verification-day", s.limits.VerificationDayLimit),
		},
		codes: []fault.Code{fault.Conflict},
	}, s.resendVerification)
}

// ForgotPasswordBody is the body of a request for a new password.
type ForgotPasswordBody struct {
	Email string `json:"email" example:"rahim@example.com"`
}

func (s *Server) forgotPassword(ctx context.Context, in *struct{ Payload Payload[ForgotPasswordBody] }) (*output[Message], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	user, err := s.accounts.RequestReset(ctx, body.Email, callOf(ctx).client)
	if err != nil {
		return nil, err
	}
	s.securityEvent(ctx, slog.LevelInfo, "password reset asked for", &user.ID)
	return respond(Message{catalog.Outcome{Code: "reset_link_sent", Message: "Password reset link sent to your email."}}), nil
}

// ResetPasswordBody is the body of a reset.
type ResetPasswordBody struct {
	Password string `json:"password" example:"river-stone-42"`
	Token    string `json:"token" example:"Vb1nYk3sQ0e7T9uWxZ2c4d6f8g"`
}

// reset is the answer to a password reset: it creates no session, but the device is trusted from
// now on.
type reset struct {
	SetCookie string `header:"Set-Cookie"`
	Body      Message
}

func (s *Server) resetPassword(ctx context.Context, in *struct{ Payload Payload[ResetPasswordBody] }) (*reset, error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	userID, browser, err := s.accounts.ResetPassword(ctx, accounts.ResetInput{
		Password: body.Password, Token: accounts.Token(body.Token), Browser: callOf(ctx).browser,
	})
	if err != nil {
		return nil, err
	}
	s.securityEvent(ctx, slog.LevelInfo, "password reset", &userID)
	done := catalog.Outcome{Code: "password_reset", Message: "Password has been successfully reset."}
	return &reset{SetCookie: s.browserCookieHeader(browser), Body: Message{done}}, nil
}

// ChangePasswordBody is the body of a change.
type ChangePasswordBody struct {
	CurrentPassword string `json:"currentPassword" example:"river-stone-42"`
	NewPassword     string `json:"newPassword" example:"river-stone-43"`
}

func (s *Server) changePassword(ctx context.Context, in *struct{ Payload Payload[ChangePasswordBody] }) (*rotated, error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	input := accounts.ChangeInput{Current: body.CurrentPassword, New: body.NewPassword}
	token, err := s.accounts.ChangePassword(ctx, c.user, c.session, c.browser, input)
	if err != nil {
		return nil, err
	}
	s.securityEvent(ctx, slog.LevelInfo, "password changed", &c.user.ID)
	return s.rotated(token, catalog.Outcome{Code: "password_changed", Message: "Your password has been changed."}), nil
}

// rotated is an answer that replaces the session's token.
type rotated struct {
	SetCookie []string `header:"Set-Cookie"`
	Body      Message
}

// rotated returns the answer with the session's new token; an empty one keeps the cookie.
func (s *Server) rotated(token accounts.Token, done catalog.Outcome) *rotated {
	out := &rotated{Body: Message{done}}
	if token != "" {
		out.SetCookie = []string{s.sessionCookie(token)}
	}
	return out
}

// ConfirmPasswordBody is the body of a confirmation.
type ConfirmPasswordBody struct {
	ProofBody
	Password string `json:"password" example:"river-stone-42"`
}

func (s *Server) confirmPassword(ctx context.Context, in *struct{ Payload Payload[ConfirmPasswordBody] }) (*rotated, error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	token, err := s.accounts.ConfirmPassword(ctx, c.user, c.session, body.Password, body.proof())
	s.proofEvent(ctx, err)
	if err != nil {
		return nil, err
	}
	return s.rotated(token, catalog.Outcome{Code: "password_confirmed", Message: "Password confirmed."}), nil
}

func (s *Server) verifyEmail(ctx context.Context, in *struct{ Payload Payload[LinkBody] }) (*output[Message], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	userID, err := s.accounts.VerifyEmail(ctx, accounts.Token(body.Token))
	if err != nil {
		return nil, err
	}
	s.securityEvent(ctx, slog.LevelInfo, "email verified", &userID)
	s.mailConfirmations(ctx, userID)
	return respond(Message{catalog.Outcome{Code: "email_verified", Message: "Your email is verified."}}), nil
}

// mailConfirmations mails the links of held withdrawals to a user whose address has become a
// verified one. An error does not affect the verification.
func (s *Server) mailConfirmations(ctx context.Context, userID uuid.UUID) {
	if err := s.wallet.MailConfirmations(ctx, userID); err != nil {
		s.logger.WarnContext(ctx, "links of held withdrawals not mailed", "request_id", requestInfoOf(ctx).id, "error", err)
	}
}

func (s *Server) resendVerification(ctx context.Context, _ *struct{}) (*output[Message], error) {
	err := s.accounts.ResendVerification(ctx, actor(ctx))
	return respond(Message{catalog.Outcome{Code: "verification_link_sent", Message: "Verification link sent to your email."}}), err
}
