package api

import (
	"context"
	"net/http"

	"amanat/internal/fault"
)

func (s *Server) registerProfiles() {
	const tag = "Accounts"
	register(s, endpoint{
		id: "update-profile", method: http.MethodPut, path: "/auth/update-profile", tag: tag, image: true,
		summary: "Change the profile picture of the user",
	}, s.updateProfile)
}

// UpdateProfileBody is the body of a change of the profile.
type UpdateProfileBody struct {
	ProfilePic *string `json:"profilePic" nullable:"false" doc:"A PNG, JPEG, WebP or GIF file as a data URL; \"\" removes the picture."`
}

func (s *Server) updateProfile(ctx context.Context, in *struct{ Payload Payload[UpdateProfileBody] }) (*output[User], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	if body.ProfilePic == nil {
		return nil, fault.Field("profilePic", "Please select an image file!")
	}
	changed, err := s.accounts.SetPicture(ctx, actor(ctx), *body.ProfilePic)
	if err != nil {
		return nil, err
	}
	user, err := s.withWallet(ctx, changed)
	return respond(user), err
}
