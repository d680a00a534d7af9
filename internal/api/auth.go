package api

import (
	"context"
	"log/slog"
	"net/http"

	"amanat/internal/accounts"
	"amanat/internal/fault"
)

const accountTag = "Accounts"

func (s *Server) registerAuth() {
	register(s, endpoint{
		id: "signup", method: http.MethodPost, path: "/auth/signup", tag: accountTag, access: anyone, status: http.StatusCreated,
		summary: "Open an account and sign in", bounds: []bound{perAddress("signup", s.limits.SignupLimit)},
		codes: []fault.Code{fault.Duplicate},
	}, s.signup)
	register(s, endpoint{
		id: "login", method: http.MethodPost, path: "/auth/login", tag: accountTag, access: anyone, summary: "Sign in",
		codes: []fault.Code{fault.InvalidCredentials, fault.Locked},
	}, s.login)
	register(s, endpoint{
		id: "logout", method: http.MethodPost, path: "/auth/logout", tag: accountTag, access: anyone, summary: "Sign out",
	}, s.logout)
	register(s, endpoint{
		id: "auth-check", method: http.MethodGet, path: "/auth/check", tag: accountTag, summary: "The signed-in user",
	}, s.check)
	register(s, endpoint{
		id: "auth-me", method: http.MethodGet, path: "/auth/me", tag: accountTag, summary: "The signed-in user with the referral code",
	}, s.me)
}

// SignupBody is the body of a sign-up.
type SignupBody struct {
	Username   string  `json:"username" doc:"Spaces and dots are stripped."`
	Email      string  `json:"email"`
	Password   string  `json:"password"`
	ReferredBy *string `json:"referredBy,omitempty" nullable:"true" doc:"Referral code of another user; an unknown one is ignored."`
	Language   string  `json:"language,omitempty" enum:"en,bn" doc:"In which to write to the user; en by default."`
}

// signedIn is a user with the cookies of a new session and of the browser.
type signedIn struct {
	SetCookie []string `header:"Set-Cookie"`
	Body      User
}

func (s *Server) signedIn(opened accounts.SignedIn, user User) *signedIn {
	return &signedIn{SetCookie: []string{s.sessionCookie(opened.Session), s.knownBy(opened.Browser)}, Body: user}
}

func (s *Server) signup(ctx context.Context, in *struct{ Payload Payload[SignupBody] }) (*signedIn, error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	input := accounts.SignupInput{
		Username: body.Username, Email: body.Email, Password: body.Password, Language: body.Language, Browser: c.browser,
	}
	if body.ReferredBy != nil {
		input.ReferredBy = *body.ReferredBy
	}
	opened, err := s.accounts.Signup(ctx, input, c.client)
	if err != nil {
		return nil, err
	}
	requestInfoOf(ctx).userID = opened.User.ID
	s.event(ctx, slog.LevelInfo, "account opened", opened.User.ID)
	return s.signedIn(opened, userOf(opened.User, 0)), nil
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
	input := accounts.LoginInput{Username: body.Username, Password: body.Password, Previous: c.token, Browser: c.browser}
	opened, err := s.accounts.Login(ctx, input, c.client)
	s.loginEvent(ctx, opened, err)
	if err != nil {
		return nil, err
	}
	wire, err := s.withWallet(ctx, opened.User)
	if err != nil {
		return nil, err
	}
	return s.signedIn(opened, wire), nil
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
		userID, err := s.accounts.Logout(ctx, token)
		if err != nil {
			return nil, err
		}
		s.event(ctx, slog.LevelInfo, "session ended", userID)
	}
	return &signedOut{SetCookie: s.sessionCookie(""), Body: Message{"Logout successfully!"}}, nil
}

func (s *Server) check(ctx context.Context, _ *struct{}) (*output[User], error) {
	user, err := s.withWallet(ctx, actor(ctx))
	return respond(user), err
}

func (s *Server) me(ctx context.Context, _ *struct{}) (*output[Me], error) {
	return s.meOf(ctx, actor(ctx))
}

func (s *Server) meOf(ctx context.Context, user accounts.User) (*output[Me], error) {
	wire, err := s.withWallet(ctx, user)
	return respond(Me{User: wire, ReferralCode: user.ReferralCode, MailNotices: user.MailNotices}), err
}
