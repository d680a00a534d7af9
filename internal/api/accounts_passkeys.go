package api

import (
	"context"
	"log/slog"
	"net/http"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/accounts"
	"amanat/internal/lib/fault"
)

// registerPasskeys serves the passkeys of the signed-in user.
func (s *Server) registerPasskeys() {
	register(s, endpoint{
		id: "new-passkey-options", method: http.MethodPost, path: "/auth/second-factor/passkeys/options", tag: accountTag, access: enrolling,
		summary: "What the browser makes a passkey with",
		codes:   []fault.Code{fault.Conflict},
	}, s.newPasskeyOptions)
	register(s, endpoint{
		id: "new-passkey", method: http.MethodPost, path: "/auth/second-factor/passkeys", tag: accountTag, access: enrolling,
		status: http.StatusCreated, summary: "Add a passkey; all other sessions end if it is the first factor",
		codes: []fault.Code{fault.Conflict, fault.Duplicate},
	}, s.newPasskey)
	register(s, endpoint{
		id: "rename-passkey", method: http.MethodPatch, path: "/auth/second-factor/passkeys/{id}", tag: accountTag,
		summary: "Rename one of one's passkeys",
	}, s.renamePasskey)
	register(s, endpoint{
		id: "remove-passkey", method: http.MethodDelete, path: "/auth/second-factor/passkeys/{id}", tag: accountTag, access: confirmed,
		summary: "Remove one of one's passkeys; all other sessions end",
		codes:   []fault.Code{fault.Conflict},
	}, s.removePasskey)
}

func (s *Server) newPasskeyOptions(ctx context.Context, _ *struct{}) (*output[PasskeyOptions], error) {
	c := callOf(ctx)
	options, err := s.accounts.BeginPasskey(ctx, c.user, c.session)
	return respondOptions(options, err)
}

// NewPasskeyBody is the body that adds a passkey.
type NewPasskeyBody struct {
	Name       string         `json:"name" doc:"1 to 50 characters." example:"My phone"`
	Credential map[string]any `json:"credential" doc:"The RegistrationResponseJSON of the browser."`
}

// NewPasskey is a passkey that was added.
type NewPasskey struct {
	Passkey Passkey  `json:"passkey"`
	Codes   []string `json:"backupCodes" nullable:"true" doc:"If the passkey is the first factor; the server cannot show them again." example:"[\"7K2MP-9XQ4T\"]"`
}

func (s *Server) newPasskey(ctx context.Context, in *struct{ Payload Payload[NewPasskeyBody] }) (*output[NewPasskey], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	input := accounts.PasskeyInput{Name: body.Name, Credential: credentialOf(body.Credential)}
	added, codes, err := s.accounts.AddPasskey(ctx, c.user, c.session, input)
	if err != nil {
		return nil, err
	}
	s.securityEvent(ctx, slog.LevelInfo, "passkey added", &c.user.ID)
	return respond(NewPasskey{Passkey: passkeyOf(added), Codes: codes}), nil
}

// RenameBody is the body that renames a passkey.
type RenameBody struct {
	Name string `json:"name" doc:"1 to 50 characters." example:"My phone"`
}

// RenameInput renames a passkey.
type RenameInput struct {
	IDPath
	Payload Payload[RenameBody]
}

func (s *Server) renamePasskey(ctx context.Context, in *RenameInput) (*output[Passkey], error) {
	if err := s.accounts.RequirePasskey(ctx, actor(ctx).ID, pathID(ctx)); err != nil {
		return nil, err
	}
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	renamed, err := s.accounts.RenamePasskey(ctx, actor(ctx).ID, pathID(ctx), body.Name)
	return respond(passkeyOf(renamed)), err
}

func (s *Server) removePasskey(ctx context.Context, _ *IDPath) (*output[Message], error) {
	c := callOf(ctx)
	if err := s.accounts.RemovePasskey(ctx, c.user, c.session, pathID(ctx)); err != nil {
		return nil, err
	}
	s.securityEvent(ctx, slog.LevelInfo, "passkey removed", &c.user.ID)
	return respond(Message{catalog.Outcome{Code: "passkey_removed", Message: "The passkey is removed."}}), nil
}
