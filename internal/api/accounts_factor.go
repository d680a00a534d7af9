package api

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/google/uuid"

	"amanat/internal/domain/accounts"
	"amanat/internal/platform/catalog"
	"amanat/internal/platform/fault"
)

// registerFactor serves the settings of the second factor.
func (s *Server) registerFactor() {
	register(s, endpoint{
		id: "second-factor", method: http.MethodGet, path: "/auth/second-factor", tag: accountTag,
		summary: "The second factor of the user: authenticator app, passkeys and backup codes",
	}, s.secondFactor)
	register(s, endpoint{
		id: "totp", method: http.MethodPost, path: "/auth/second-factor/totp", tag: accountTag, access: confirmed,
		summary: "Get a secret for an authenticator app, without effect until it is confirmed with a code",
		codes:   []fault.Code{fault.Conflict},
	}, s.totp)
	register(s, endpoint{
		id: "totp-confirm", method: http.MethodPost, path: "/auth/second-factor/totp/confirm", tag: accountTag, access: confirmed,
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

// ProofBody is a body with a proof of the second factor: one of the two.
type ProofBody struct {
	Code       string         `json:"code,omitempty" doc:"Of the authenticator app, or a backup code." example:"123456"`
	Credential map[string]any `json:"credential,omitempty" doc:"The AuthenticationResponseJSON of the browser to the options of /auth/confirm/options."`
}

func (b ProofBody) proof() accounts.Proof {
	return accounts.Proof{Code: b.Code, Credential: credentialOf(b.Credential)}
}
