package api

import (
	"context"
	"encoding/json"
	"net/http"

	"amanat/internal/domain/accounts"
	"amanat/internal/lib/fault"
)

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
