package api

import (
	"context"
	"log/slog"

	"github.com/google/uuid"

	"amanat/internal/domain/accounts"
	"amanat/internal/platform/fault"
)

// securityEvent logs an event that concerns the security of an account; userID is nil if the
// account is not known. It contains ids only, never a user's input: a password may be typed into
// the username field.
func (s *Server) securityEvent(ctx context.Context, level slog.Level, name string, userID *uuid.UUID, attributes ...any) {
	info := requestInfoOf(ctx)
	attributes = append(attributes, "event", name, "request_id", info.id, "address", info.address)
	if userID != nil {
		attributes = append(attributes, "user_id", userID.String())
	}
	s.logger.Log(ctx, level, "security", attributes...)
}

// loginEvent logs the outcome of a login.
func (s *Server) loginEvent(ctx context.Context, opened accounts.SignedIn, err error) {
	userID := opened.Named
	switch fault.CodeOf(err) {
	case "":
		requestInfoOf(ctx).userID = userID // set on success only
		s.securityEvent(ctx, slog.LevelInfo, "login succeeded", userID)
	case fault.SecondFactorRequired:
		s.securityEvent(ctx, slog.LevelInfo, "second factor asked for", userID)
	case fault.Invalid, fault.RateLimited, fault.LoginExpired:
		if userID != nil { // the first step was right, or the passkey known
			s.securityEvent(ctx, slog.LevelWarn, "second factor failed", userID)
		}
	case fault.InvalidCredentials:
		s.securityEvent(ctx, slog.LevelWarn, "login failed", userID)
	case fault.Locked:
		s.securityEvent(ctx, slog.LevelWarn, "login locked", userID)
	case fault.Forbidden:
		name := "login of a disabled account"
		if accounts.IsCloned(err) {
			name = clonedEvent
		}
		s.securityEvent(ctx, slog.LevelWarn, name, userID)
	default: // an internal error, which is logged elsewhere
	}
}

const clonedEvent = "passkey copied"

// proofEvent logs that a signed-in user failed to prove the second factor.
func (s *Server) proofEvent(ctx context.Context, err error) {
	userID := callOf(ctx).userID()
	switch {
	case accounts.IsCloned(err):
		s.securityEvent(ctx, slog.LevelWarn, clonedEvent, userID)
	case accounts.IsUnproved(err):
		s.securityEvent(ctx, slog.LevelWarn, "second factor failed", userID)
	}
}
