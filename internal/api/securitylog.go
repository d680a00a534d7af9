package api

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"amanat/internal/domain/accounts"
	"amanat/internal/lib/fault"
)

// shownEvents are the events that the owner of the account is shown, too.
var shownEvents = map[string]accounts.EventKind{
	"account opened":               accounts.EventOpened,
	"login succeeded":              accounts.EventLogin,
	"login failed":                 accounts.EventLoginFailed,
	factorFailedEvent:              accounts.EventFactorFailed,
	clonedEvent:                    accounts.EventPasskeyCopied,
	"password changed":             accounts.EventPasswordChanged,
	"password reset asked for":     accounts.EventResetAsked,
	"password reset":               accounts.EventPasswordReset,
	"email verified":               accounts.EventEmailVerified,
	"email change asked for":       accounts.EventEmailAsked,
	"email changed":                accounts.EventEmailChanged,
	"email change undone":          accounts.EventEmailUndone,
	"authenticator app added":      accounts.EventAppAdded,
	"authenticator app removed":    accounts.EventAppRemoved,
	"passkey added":                accounts.EventPasskeyAdded,
	"passkey removed":              accounts.EventPasskeyRemoved,
	"backup codes made":            accounts.EventCodesMade,
	"other sessions ended":         accounts.EventOthersEnded,
	"withdrawals stopped by owner": accounts.EventWithdrawalsStop,
	"withdrawal confirmed":         accounts.EventWithdrawalAgreed,
}

// recordTimeout bounds how long a response waits for the record of its event.
const recordTimeout = 2 * time.Second

// securityEvent logs an event that concerns the security of an account; userID is nil if the
// account is not known. It contains ids only, never a user's input: a password may be typed into
// the username field. Events in shownEvents are recorded for the account's owner.
func (s *Server) securityEvent(ctx context.Context, level slog.Level, name string, userID *uuid.UUID, attributes ...any) {
	info := requestInfoOf(ctx)
	attributes = append(attributes, "event", name, "request_id", info.id, "address", info.address)
	if userID != nil {
		attributes = append(attributes, "user_id", userID.String())
	}
	s.logger.Log(ctx, level, "security", attributes...)
	kind, shown := shownEvents[name]
	if !shown || userID == nil {
		return
	}
	// What happened stays recorded if the client does not wait for the response.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	if err := s.accounts.RecordEvent(ctx, *userID, kind, callOf(ctx).client); err != nil {
		s.logger.WarnContext(ctx, "event of an account not recorded", "event", name, "request_id", info.id, "error", err)
	}
}

// loginEvent logs and counts the outcome of a login.
func (s *Server) loginEvent(ctx context.Context, opened accounts.SignedIn, err error) {
	countResult(s.logins, loginResults, err)
	userID := opened.Named
	switch fault.CodeOf(err) {
	case "":
		requestInfoOf(ctx).userID = userID // set on success only
		s.securityEvent(ctx, slog.LevelInfo, "login succeeded", userID)
	case fault.SecondFactorRequired:
		s.securityEvent(ctx, slog.LevelInfo, "second factor asked for", userID)
	case fault.Invalid, fault.RateLimited, fault.LoginExpired:
		if userID == nil {
			return // an incomplete form, or a login that nobody waits for
		}
		name := "second factor refused"
		if accounts.IsUnproved(err) {
			name = factorFailedEvent
		}
		s.securityEvent(ctx, slog.LevelWarn, name, userID)
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

const (
	clonedEvent       = "passkey copied"
	factorFailedEvent = "second factor failed"
)

// proofEvent logs that a signed-in user failed to prove the second factor.
func (s *Server) proofEvent(ctx context.Context, err error) {
	userID := callOf(ctx).userID()
	switch {
	case accounts.IsCloned(err):
		s.securityEvent(ctx, slog.LevelWarn, clonedEvent, userID)
	case accounts.IsUnproved(err):
		s.securityEvent(ctx, slog.LevelWarn, factorFailedEvent, userID)
	}
}
