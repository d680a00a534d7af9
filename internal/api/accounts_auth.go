package api

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"amanat/internal/app/catalog"
	"amanat/internal/app/pauses"
	"amanat/internal/domain/accounts"
	"amanat/internal/lib/fault"
)

const accountTag = "Accounts"

func (s *Server) registerAuth() {
	register(s, endpoint{
		id: "signup", method: http.MethodPost, path: "/auth/signup", tag: accountTag, access: anyone, status: http.StatusCreated,
		area:    pauses.Signups,
		summary: "Open an account and sign in",
		codes:   []fault.Code{fault.Duplicate, fault.RateLimited},
	}, s.signup)
	register(s, endpoint{
		id: "login", method: http.MethodPost, path: "/auth/login", tag: accountTag, access: anyone,
		summary: "Sign in; with a second factor, the answer is second_factor_required with a cookie for the second step",
		codes:   []fault.Code{fault.InvalidCredentials, fault.Locked, fault.SecondFactorRequired},
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
	register(s, endpoint{
		id: "accept-terms", method: http.MethodPost, path: "/auth/terms", tag: accountTag,
		summary: "Accept the current terms and privacy policy",
		codes:   []fault.Code{fault.Conflict},
	}, s.acceptTerms)
}

// SignupBody is the body of a sign-up.
type SignupBody struct {
	Username   string  `json:"username" doc:"Spaces and dots are stripped." example:"rahim"`
	Email      string  `json:"email" example:"rahim@example.com"`
	Password   string  `json:"password" example:"river-stone-42"`
	ReferredBy *string `json:"referredBy,omitempty" nullable:"true" doc:"Referral code of another user; an unknown one is ignored." example:"K7M2PQ9X"`
	Language   string  `json:"language,omitempty" enum:"en,bn" doc:"In which to write to the user; en by default."`

	TermsVersion string `json:"termsVersion,omitempty" doc:"Of the terms that the user was shown; a version that is not known, or none, counts as the current one. Signing up accepts the terms and the privacy policy, and says that the user is 18 or older." example:"2026-11-01"`
}

// signedIn is a user, with the cookies of the new session and the trusted device.
type signedIn struct {
	SetCookie []string `header:"Set-Cookie"`
	Body      User
}

func (s *Server) signedIn(opened accounts.SignedIn, user User) *signedIn {
	return &signedIn{SetCookie: []string{s.sessionCookie(opened.Session), s.browserCookieHeader(opened.Browser)}, Body: user}
}

func (s *Server) signup(ctx context.Context, in *struct{ Payload Payload[SignupBody] }) (*signedIn, error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	input := accounts.SignupInput{
		Username: body.Username, Email: body.Email, Password: body.Password, Language: body.Language, Terms: body.TermsVersion,
		Browser: c.browser,
	}
	if body.ReferredBy != nil {
		input.ReferredBy = *body.ReferredBy
	}
	opened, err := s.accounts.Signup(ctx, input, c.client)
	if err != nil {
		return nil, err
	}
	requestInfoOf(ctx).userID = &opened.User.ID
	s.securityEvent(ctx, slog.LevelInfo, "account opened", &opened.User.ID)
	return s.signedIn(opened, userOf(opened.User, accounts.Own{Consent: opened.Consent})), nil
}

// LoginBody is the body of a login.
type LoginBody struct {
	Username string `json:"username" example:"rahim"`
	Password string `json:"password" example:"river-stone-42"`
}

func (s *Server) login(ctx context.Context, in *struct{ Payload Payload[LoginBody] }) (*signedIn, error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	input := accounts.LoginInput{Username: body.Username, Password: body.Password, Previous: c.token, Browser: c.browser}
	opened, err := s.accounts.Login(ctx, input, c.client)
	return s.finishLogin(ctx, opened, err)
}

func (s *Server) withWallet(ctx context.Context, user accounts.User) (User, error) {
	own, err := s.accounts.Own(ctx, user.ID)
	return userOf(user, own), err
}

// signedOut clears the session cookie and the browser's cache, which the next person at the browser
// must not see.
type signedOut struct {
	SetCookie     string `header:"Set-Cookie"`
	ClearSiteData string `header:"Clear-Site-Data"`
	Body          Message
}

func (s *Server) logout(ctx context.Context, _ *struct{}) (*signedOut, error) {
	if token := callOf(ctx).token; token != "" {
		userID, err := s.accounts.Logout(ctx, token)
		if err != nil {
			return nil, err
		}
		s.securityEvent(ctx, slog.LevelInfo, "session ended", userID)
	}
	done := catalog.Outcome{Code: "logged_out", Message: "Logout successfully!"}
	return &signedOut{SetCookie: s.sessionCookie(""), ClearSiteData: `"cache"`, Body: Message{done}}, nil
}

// TermsBody is the body that accepts the terms.
type TermsBody struct {
	Version string `json:"version" doc:"Of the terms that the user was shown." example:"2026-11-01"`
}

// TermsAccepted is the answer to it.
type TermsAccepted struct {
	catalog.Outcome
	User User `json:"user"`
}

func (s *Server) acceptTerms(ctx context.Context, in *struct{ Payload Payload[TermsBody] }) (*output[TermsAccepted], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	if err := s.accounts.AcceptTerms(ctx, actor(ctx).ID, body.Version, callOf(ctx).client); err != nil {
		return nil, err
	}
	user, err := s.withWallet(ctx, actor(ctx))
	return respond(TermsAccepted{accounts.OutcomeTermsAccepted, user}), err
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
	if err != nil {
		return nil, err
	}
	pending, err := s.accounts.PendingEmail(ctx, user.ID)
	return respond(Me{User: wire, ReferralCode: user.ReferralCode, MailNotices: user.MailNotices, PendingEmail: pending}), err
}

// cookieName returns the name of a cookie. With HTTPS, the __Host- prefix makes browsers reject one
// set by another host or an insecure page.
func cookieName(name string, secure bool) string {
	if secure {
		return "__Host-" + name
	}
	return name
}

// maxToken exceeds the length of every valid token.
const maxToken = 128

func readCookie(r *http.Request, name string) accounts.Token {
	cookie, err := r.Cookie(name)
	if err != nil || len(cookie.Value) > maxToken {
		return ""
	}
	return accounts.Token(cookie.Value)
}

// sessionCookie returns the header that sets the session cookie, or clears it for an empty token.
func (s *Server) sessionCookie(token accounts.Token) string {
	return s.newCookie(s.cookie, token, accounts.SessionLife)
}

// browserCookieHeader returns the header that sets the trusted device's cookie.
func (s *Server) browserCookieHeader(token accounts.Token) string {
	return s.newCookie(s.browserCookie, token, accounts.BrowserLife)
}

func (s *Server) newCookie(name string, token accounts.Token, life time.Duration) string {
	cookie := http.Cookie{ //nolint:gosec // Secure if the site uses https
		Name: name, Value: string(token), Path: "/", MaxAge: int(life.Seconds()),
		HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteLaxMode,
	}
	if token == "" {
		cookie.MaxAge = -1
	}
	return cookie.String()
}
