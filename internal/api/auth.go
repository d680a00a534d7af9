package api

import (
	"context"
	"net/http"

	"amanat/internal/accounts"
)

func (s *Server) registerAuth() {
	const tag = "Accounts"
	register(s, endpoint{
		id: "signup", method: http.MethodPost, path: "/auth/signup", tag: tag, access: anyone, status: http.StatusCreated,
		summary: "Open an account and sign in",
	}, s.signup)
	register(s, endpoint{
		id: "login", method: http.MethodPost, path: "/auth/login", tag: tag, access: anyone, summary: "Sign in",
	}, s.login)
	register(s, endpoint{
		id: "logout", method: http.MethodPost, path: "/auth/logout", tag: tag, access: anyone, summary: "Sign out",
	}, s.logout)
	register(s, endpoint{
		id: "auth-check", method: http.MethodGet, path: "/auth/check", tag: tag, summary: "The signed-in user",
	}, s.check)
	register(s, endpoint{
		id: "auth-me", method: http.MethodGet, path: "/auth/me", tag: tag, summary: "The signed-in user with the referral code",
	}, s.me)
	register(s, endpoint{
		id: "confirm-password", method: http.MethodPost, path: "/auth/confirm-password", tag: tag,
		summary: "Enter the password again, as money actions of admins require from time to time",
	}, s.confirmPassword)
}

// SignupBody is the body of a sign-up.
type SignupBody struct {
	Username   string  `json:"username" doc:"Spaces and dots are stripped."`
	Email      string  `json:"email"`
	Password   string  `json:"password"`
	ReferredBy *string `json:"referredBy,omitempty" nullable:"true" doc:"Referral code of another user; an unknown one is ignored."`
}

// signedIn is a user with the cookie of a new session.
type signedIn struct {
	SetCookie string `header:"Set-Cookie"`
	Body      User
}

func (s *Server) signup(ctx context.Context, in *struct{ Payload Payload[SignupBody] }) (*signedIn, error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	input := accounts.SignupInput{Username: body.Username, Email: body.Email, Password: body.Password}
	if body.ReferredBy != nil {
		input.ReferredBy = *body.ReferredBy
	}
	user, token, err := s.accounts.Signup(ctx, input, callOf(ctx).client)
	if err != nil {
		return nil, err
	}
	requestInfoOf(ctx).userID = user.ID
	return &signedIn{SetCookie: s.sessionCookie(token), Body: userOf(user, 0)}, nil
}

// LoginBody is the body of a login.
type LoginBody struct {
	Username string `json:"username"`
	Password string `json:"password"`
}

func (s *Server) login(ctx context.Context, in *struct{ Payload Payload[LoginBody] }) (*signedIn, error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	input := accounts.LoginInput{Username: body.Username, Password: body.Password, Previous: c.token}
	user, token, err := s.accounts.Login(ctx, input, c.client)
	if err != nil {
		return nil, err
	}
	requestInfoOf(ctx).userID = user.ID
	wire, err := s.withWallet(ctx, user)
	if err != nil {
		return nil, err
	}
	return &signedIn{SetCookie: s.sessionCookie(token), Body: wire}, nil
}

func (s *Server) withWallet(ctx context.Context, user accounts.User) (User, error) {
	wallet, err := s.accounts.Wallet(ctx, user.ID)
	return userOf(user, wallet), err
}

type signedOut struct {
	SetCookie string `header:"Set-Cookie"`
	Body      Message
}

func (s *Server) logout(ctx context.Context, _ *struct{}) (*signedOut, error) {
	if token := callOf(ctx).token; token != "" {
		if err := s.accounts.Logout(ctx, token); err != nil {
			return nil, err
		}
	}
	return &signedOut{SetCookie: s.sessionCookie(""), Body: Message{"Logout successfully!"}}, nil
}

func (s *Server) check(ctx context.Context, _ *struct{}) (*output[User], error) {
	user, err := s.withWallet(ctx, actor(ctx))
	return respond(user), err
}

func (s *Server) me(ctx context.Context, _ *struct{}) (*output[Me], error) {
	user, err := s.withWallet(ctx, actor(ctx))
	return respond(Me{User: user, ReferralCode: actor(ctx).ReferralCode}), err
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
