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
