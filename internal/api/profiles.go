package api

import (
	"context"
	"net/http"
	"time"

	"amanat/internal/fault"
	"amanat/internal/party"
	"amanat/internal/posts"
	"amanat/internal/reports"
	"amanat/internal/reviews"
)

func (s *Server) registerProfiles() {
	const tag = "Accounts"
	register(s, endpoint{
		id: "update-profile", method: http.MethodPut, path: "/auth/update-profile", tag: tag, image: true,
		summary: "Change the profile picture of the user",
	}, s.updateProfile)
	register(s, endpoint{
		id: "profile", method: http.MethodGet, path: "/auth/profile/{username}", tag: tag, access: anyone,
		summary: "What everybody may see of a user",
		codes:   []fault.Code{fault.NotFound},
	}, s.profile)
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

// PublicUser is a user as everybody may see him.
type PublicUser struct {
	party.Party
	IsVerified bool      `json:"isVerified"`
	CreatedAt  time.Time `json:"createdAt"`
}

// Profile is a user's public profile.
type Profile struct {
	User          PublicUser `json:"user"`
	Posts         []Post     `json:"posts" doc:"The newest hundred; /posts/user has all."`
	Reviews       []Review   `json:"reviews" doc:"The newest hundred he received; /reviews has all."`
	SuccessScore  *int       `json:"successScore" doc:"Percent of completed over finished deals, as buyer and seller; null before the first."`
	AverageRating *float64   `json:"averageRating" doc:"1 to 5, to one decimal; null without reviews."`
	ReviewCount   int        `json:"reviewCount"`
}

func (s *Server) profile(ctx context.Context, in *UsernamePath) (*output[Profile], error) {
	user, err := s.accounts.Find(ctx, in.Username)
	if err != nil {
		return nil, err
	}
	published, _, err := s.posts.ListByUser(ctx, user.ID, posts.Page{Limit: maxLimit})
	if err != nil {
		return nil, err
	}
	received, count, err := s.reviews.List(ctx, reviews.Query{Reviewed: user.ID, Page: reviews.Page{Limit: maxLimit}})
	if err != nil {
		return nil, err
	}
	standing, err := s.reports.Standing(ctx, user.ID, reports.Period{})
	return respond(Profile{
		User:  PublicUser{Party: user.Party(), IsVerified: user.IsVerified, CreatedAt: user.CreatedAt},
		Posts: mapped(published, postOf), Reviews: mapped(received, reviewOf),
		SuccessScore: standing.SuccessScore(), AverageRating: standing.AverageRating, ReviewCount: count,
	}), err
}
