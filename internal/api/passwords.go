package api

import (
	"context"
	"log/slog"
	"net/http"

	"amanat/internal/accounts"
	"amanat/internal/fault"
)

func (s *Server) registerPasswords() {
	register(s, endpoint{
		id: "forgot-password", method: http.MethodPost, path: "/auth/forgot-password", tag: accountTag, access: anyone,
		summary: "Have a link for a new password mailed", bounds: []bound{perAddress("forgot-address", s.limits.ForgotAddressLimit)},
		codes: []fault.Code{fault.NotFound, fault.RateLimited},
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
		summary: "Enter the password again, as money actions of admins require from time to time",
		codes:   []fault.Code{fault.RateLimited},
	}, s.confirmPassword)
	register(s, endpoint{
		id: "verify-email", method: http.MethodPost, path: "/auth/verify-email", tag: accountTag, access: anyone,
		summary: "Verify the e-mail address with the token of the mailed link",
	}, s.verifyEmail)
	register(s, endpoint{
		id: "resend-verification", method: http.MethodPost, path: "/auth/resend-verification", tag: accountTag,
		summary: "Have another link mailed that verifies the e-mail address",
		bounds: []bound{
			perUser("verification", s.limits.VerificationLimit), perUser("verification-day", s.limits.VerificationDayLimit),
		},
		codes: []fault.Code{fault.Conflict},
	}, s.resendVerification)
}

// ForgotPasswordBody is the body of a request for a new password.
type ForgotPasswordBody struct {
	Email string `json:"email"`
}

func (s *Server) forgotPassword(ctx context.Context, in *struct{ Payload Payload[ForgotPasswordBody] }) (*output[Message], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	user, err := s.accounts.RequestReset(ctx, body.Email)
	if err != nil {
		return nil, err
	}
	s.event(ctx, slog.LevelInfo, "password reset asked for", user.ID)
	return respond(Message{"Password reset link sent to your email."}), nil
}

// ResetPasswordBody is the body of a reset.
type ResetPasswordBody struct {
	Password string `json:"password"`
	Token    string `json:"token"`
}

// reset is its answer: it signs nobody in, but the browser is known from now on.
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
	s.event(ctx, slog.LevelInfo, "password reset", userID)
	return &reset{SetCookie: s.knownBy(browser), Body: Message{"Password has been successfully reset."}}, nil
}

// ChangePasswordBody is the body of a change.
type ChangePasswordBody struct {
	CurrentPassword string `json:"currentPassword"`
	NewPassword     string `json:"newPassword"`
}

func (s *Server) changePassword(ctx context.Context, in *struct{ Payload Payload[ChangePasswordBody] }) (*output[Message], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	input := accounts.ChangeInput{Current: body.CurrentPassword, New: body.NewPassword}
	if err := s.accounts.ChangePassword(ctx, c.user, c.session, c.browser, input); err != nil {
		return nil, err
	}
	s.event(ctx, slog.LevelInfo, "password changed", c.user.ID)
	return respond(Message{"Your password has been changed."}), nil
}

// ConfirmPasswordBody is the body of a confirmation.
type ConfirmPasswordBody struct {
	Password string `json:"password"`
}

func (s *Server) confirmPassword(ctx context.Context, in *struct{ Payload Payload[ConfirmPasswordBody] }) (*output[Message], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	if err := s.accounts.ConfirmPassword(ctx, c.user, c.session, body.Password); err != nil {
		return nil, err
	}
	return respond(Message{"Password confirmed."}), nil
}

// VerifyEmailBody is the body of a verification.
type VerifyEmailBody struct {
	Token string `json:"token"`
}

func (s *Server) verifyEmail(ctx context.Context, in *struct{ Payload Payload[VerifyEmailBody] }) (*output[Message], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	userID, err := s.accounts.VerifyEmail(ctx, accounts.Token(body.Token))
	if err != nil {
		return nil, err
	}
	s.event(ctx, slog.LevelInfo, "email verified", userID)
	return respond(Message{"Your email is verified."}), nil
}

func (s *Server) resendVerification(ctx context.Context, _ *struct{}) (*output[Message], error) {
	err := s.accounts.ResendVerification(ctx, actor(ctx))
	return respond(Message{"Verification link sent to your email."}), err
}
