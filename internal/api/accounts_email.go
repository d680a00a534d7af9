package api

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/accounts"
	"amanat/internal/lib/fault"
)

// registerEmail serves the change of an account's address.
func (s *Server) registerEmail() {
	register(s, endpoint{
		id: "change-email", method: http.MethodPost, path: "/auth/email", tag: accountTag, access: confirmed,
		summary: "Have a link mailed to a new address, which applies the change; a verified present address gets one that undoes it",
		// Each request mails two addresses: as many as links to verify one's own.
		rateLimits: []rateLimit{
			perUser("verification", s.limits.VerificationLimit), perUser("verification-day", s.limits.VerificationDayLimit),
		},
		codes: []fault.Code{fault.Duplicate, fault.RateLimited},
	}, s.changeEmail)
	register(s, endpoint{
		id: "cancel-email-change", method: http.MethodDelete, path: "/auth/email", tag: accountTag,
		summary: "Withdraw a change of the address whose link has not been opened",
	}, s.cancelEmailChange)
	register(s, endpoint{
		id: "confirm-email", method: http.MethodPost, path: "/auth/email/confirm", tag: accountTag, access: anyone,
		summary: "Change the address with the token of the link mailed to the new one",
		codes:   []fault.Code{fault.Duplicate},
	}, s.confirmEmail)
	register(s, endpoint{
		id: "undo-email", method: http.MethodPost, path: "/auth/email/undo", tag: accountTag, access: anyone,
		summary: "Undo or withdraw a change of the address with the token of the link mailed to the former one; all sessions end, " +
			"and withdrawals stop until the password is reset by mail",
	}, s.undoEmail)
}

// ChangeEmailBody is the body of a change of the address.
type ChangeEmailBody struct {
	Email string `json:"email" example:"rahim.new@example.com"`
}

func (s *Server) changeEmail(ctx context.Context, in *struct{ Payload Payload[ChangeEmailBody] }) (*output[Message], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	user := actor(ctx)
	if err := s.accounts.RequestEmailChange(ctx, user, body.Email); err != nil {
		return nil, err
	}
	s.securityEvent(ctx, slog.LevelInfo, "email change asked for", &user.ID)
	return respond(Message{catalog.Outcome{Code: "email_link_sent", Message: "Open the link that we have sent to the new address."}}), nil
}

func (s *Server) cancelEmailChange(ctx context.Context, _ *struct{}) (*output[Message], error) {
	err := s.accounts.CancelEmailChange(ctx, actor(ctx).ID)
	return respond(Message{catalog.Outcome{Code: "email_kept", Message: "Your email address stays as it is."}}), err
}

func (s *Server) confirmEmail(ctx context.Context, in *struct{ Payload Payload[LinkBody] }) (*output[Message], error) {
	userID, err := s.withEmailLink(ctx, in.Payload, "email changed", s.accounts.ConfirmEmailChange)
	if err != nil {
		return nil, err
	}
	s.mailConfirmations(ctx, userID)
	return respond(Message{catalog.Outcome{Code: "email_changed", Message: "Your email address is changed."}}), nil
}

func (s *Server) undoEmail(ctx context.Context, in *struct{ Payload Payload[LinkBody] }) (*output[Message], error) {
	if _, err := s.withEmailLink(ctx, in.Payload, "email change undone", s.accounts.UndoEmailChange); err != nil {
		return nil, err
	}
	return respond(Message{catalog.Outcome{
		Code: "email_restored", Message: "Your account keeps this email address. We have mailed you a link to choose a new password.",
	}}), nil
}

// withEmailLink passes the token of a mailed link to use and logs the event.
func (s *Server) withEmailLink(
	ctx context.Context, payload Payload[LinkBody], event string, use func(context.Context, accounts.Token) (uuid.UUID, error),
) (uuid.UUID, error) {
	body, err := payload.decode()
	if err != nil {
		return uuid.UUID{}, err
	}
	userID, err := use(ctx, accounts.Token(body.Token))
	if err != nil {
		return uuid.UUID{}, err
	}
	s.securityEvent(ctx, slog.LevelInfo, event, &userID)
	return userID, nil
}
