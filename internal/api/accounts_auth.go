package api

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"github.com/google/uuid"

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

// registerLogins serves the second step of a login, and logins by a passkey alone. Between two
// calls the browser keeps the token of the login in a cookie.
func (s *Server) registerLogins() {
	register(s, endpoint{
		id: "login-code", method: http.MethodPost, path: "/auth/login/code", tag: accountTag, access: anyone,
		summary: "Finish a login that was answered with second_factor_required, with a code of the authenticator app or a backup code; " +
			"five wrong ones void it",
		codes: []fault.Code{fault.LoginExpired, fault.RateLimited},
	}, s.loginCode)
	register(s, endpoint{
		id: "login-passkey-options", method: http.MethodPost, path: "/auth/login/passkey/options", tag: accountTag, access: anyone,
		summary: "What the browser asks a passkey with, to finish a login that was answered with second_factor_required",
		codes:   []fault.Code{fault.LoginExpired, fault.Conflict},
	}, s.loginPasskeyOptions)
	register(s, endpoint{
		id: "login-passkey", method: http.MethodPost, path: "/auth/login/passkey", tag: accountTag, access: anyone,
		summary: "Finish a login that was answered with second_factor_required, with the answer of a passkey",
		codes:   []fault.Code{fault.LoginExpired},
	}, s.loginPasskey)
	register(s, endpoint{
		id: "passkey-options", method: http.MethodPost, path: "/auth/passkey/options", tag: accountTag, access: anyone,
		summary:    "What the browser asks a passkey with, to sign in without a password",
		rateLimits: []rateLimit{perAddress("passkey-login", s.limits.PasskeyLoginLimit)},
		codes:      []fault.Code{fault.Conflict},
	}, s.passkeyOptions)
	register(s, endpoint{
		id: "passkey-login", method: http.MethodPost, path: "/auth/passkey", tag: accountTag, access: anyone,
		summary: "Sign in without a password, with the answer of a passkey",
		codes:   []fault.Code{fault.InvalidCredentials, fault.LoginExpired},
	}, s.passkeyLogin)
}

// CodeBody is a body with a code of the second factor.
type CodeBody struct {
	Code string `json:"code" doc:"Of the authenticator app or, except to set that up, a backup code. Spaces and dashes are ignored; Bangla digits are fine." example:"123456"`
}

// CredentialBody is a body with the answer of a passkey.
type CredentialBody struct {
	Credential map[string]any `json:"credential" doc:"The AuthenticationResponseJSON of the browser."`
}

// PasskeyOptions are the options for the browser.
type PasskeyOptions struct {
	PublicKey map[string]any `json:"publicKey" doc:"PublicKeyCredentialRequestOptionsJSON, or PublicKeyCredentialCreationOptionsJSON for a new passkey."`
}

// optionsOf returns the answer with the options of a ceremony.
func optionsOf(options []byte) (PasskeyOptions, error) {
	var wire PasskeyOptions
	err := json.Unmarshal(options, &wire.PublicKey)
	return wire, err
}

// respondOptions answers with the options that a use case has returned.
func respondOptions(options []byte, err error) (*output[PasskeyOptions], error) {
	if err != nil {
		return nil, err
	}
	wire, err := optionsOf(options)
	return respond(wire), err
}

// credentialOf returns the answer of a passkey as the browser made it; nil if there is none.
func credentialOf(answer map[string]any) json.RawMessage {
	if len(answer) == 0 {
		return nil
	}
	encoded, _ := json.Marshal(answer) // was decoded from JSON, so it never fails
	return encoded
}

// secondStep returns the second step of the login that the request's cookie names.
func secondStep(ctx context.Context, proof accounts.Proof) accounts.SecondStep {
	c := callOf(ctx)
	return accounts.SecondStep{Challenge: c.login, Proof: proof, Previous: c.token, Browser: c.browser}
}

func (s *Server) loginCode(ctx context.Context, in *struct{ Payload Payload[CodeBody] }) (*signedIn, error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	opened, err := s.accounts.LoginWithCode(ctx, secondStep(ctx, accounts.Proof{Code: body.Code}), callOf(ctx).client)
	return s.finishLogin(ctx, opened, err)
}

func (s *Server) loginPasskeyOptions(ctx context.Context, _ *struct{}) (*output[PasskeyOptions], error) {
	options, err := s.accounts.BeginPasskeyStep(ctx, callOf(ctx).login)
	return respondOptions(options, err)
}

func (s *Server) loginPasskey(ctx context.Context, in *struct{ Payload Payload[CredentialBody] }) (*signedIn, error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	step := secondStep(ctx, accounts.Proof{Credential: credentialOf(body.Credential)})
	opened, err := s.accounts.LoginWithPasskey(ctx, step, callOf(ctx).client)
	return s.finishLogin(ctx, opened, err)
}

// startedLogin is the first answer of a login by passkey.
type startedLogin struct {
	SetCookie string `header:"Set-Cookie"`
	Body      PasskeyOptions
}

func (s *Server) passkeyOptions(ctx context.Context, _ *struct{}) (*startedLogin, error) {
	options, challenge, err := s.accounts.BeginPasskeyLogin(ctx)
	if err != nil {
		return nil, err
	}
	wire, err := optionsOf(options)
	return &startedLogin{SetCookie: s.loginCookieHeader(challenge), Body: wire}, err
}

func (s *Server) passkeyLogin(ctx context.Context, in *struct{ Payload Payload[CredentialBody] }) (*signedIn, error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	step := secondStep(ctx, accounts.Proof{Credential: credentialOf(body.Credential)})
	opened, err := s.accounts.PasskeyLogin(ctx, step, callOf(ctx).client)
	return s.finishLogin(ctx, opened, err)
}

// finishLogin logs the outcome of a login and answers it. A login that waits for the second factor
// is refused, with the cookie that names it.
func (s *Server) finishLogin(ctx context.Context, opened accounts.SignedIn, err error) (*signedIn, error) {
	s.loginEvent(ctx, opened, err)
	if err != nil {
		if opened.Challenge != "" {
			callOf(ctx).refusalCookie = s.loginCookieHeader(opened.Challenge)
		}
		return nil, err
	}
	wire, err := s.withWallet(ctx, opened.User)
	if err != nil {
		return nil, err
	}
	out := s.signedIn(opened, wire)
	if callOf(ctx).login != "" {
		out.SetCookie = append(out.SetCookie, s.loginCookieHeader(""))
	}
	return out, nil
}

// loginCookieHeader returns the header that sets the cookie of a login that is not finished, or
// clears it for an empty token.
func (s *Server) loginCookieHeader(token accounts.Token) string {
	return s.newCookie(s.loginCookie, token, accounts.ChallengeLife)
}

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
