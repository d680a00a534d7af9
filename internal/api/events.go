package api

import (
	"context"
	"log/slog"

	"github.com/google/uuid"

	"amanat/internal/accounts"
	"amanat/internal/fault"
)

// event logs something that matters for the safety of an account, if it is known which. It names people by their ids, never what they
// have entered: somebody may type a password where the username belongs.
func (s *Server) event(ctx context.Context, level slog.Level, name string, userID uuid.UUID, attributes ...any) {
	info := requestInfoOf(ctx)
	attributes = append(attributes, "event", name, "request_id", info.id, "address", info.address)
	if userID != uuid.Nil {
		attributes = append(attributes, "user_id", userID.String())
	}
	s.logger.Log(ctx, level, "security", attributes...)
}

// loginEvent logs how a login went.
func (s *Server) loginEvent(ctx context.Context, opened accounts.SignedIn, err error) {
	userID := opened.User.ID
	switch fault.CodeOf(err) {
	case "":
		requestInfoOf(ctx).userID = userID // who has failed is nobody yet
		s.event(ctx, slog.LevelInfo, "login succeeded", userID)
	case fault.InvalidCredentials:
		s.event(ctx, slog.LevelWarn, "login failed", userID)
	case fault.Locked:
		s.event(ctx, slog.LevelWarn, "login locked", userID)
	case fault.Forbidden:
		s.event(ctx, slog.LevelWarn, "login of a disabled account", userID)
	default: // a form that was not filled in, or a failure of ours, which is logged as such
	}
}
