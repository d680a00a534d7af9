package api

import (
	"context"
	"net/http"
	"time"

	"amanat/internal/app/user"
	"amanat/internal/domain/reports"
	"amanat/internal/domain/reviews"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

func (s *Server) registerProfiles() {
	const tag = "Accounts"
	register(s, endpoint{
		id: "update-profile", method: http.MethodPut, path: "/auth/update-profile", tag: tag, image: true,
		summary: "Change the profile picture of the user", rateLimits: []rateLimit{s.perPerson("profile", s.limits.ProfileLimit)},
	}, s.updateProfile)
	register(s, endpoint{
		id: "profile", method: http.MethodGet, path: "/auth/profile/{username}", tag: tag, access: anyone, shared: sharedContent,
		summary: "What everybody may see of a user",
		codes:   []fault.Code{fault.NotFound},
	}, s.profile)
}

// UpdateProfileBody is the body of a change of the profile.
type UpdateProfileBody struct {
	ProfilePic *string `json:"profilePic" nullable:"false" doc:"A PNG, JPEG, WebP or GIF file as a data URL; \"\" removes the picture." example:"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="`
}

func (s *Server) updateProfile(ctx context.Context, in *struct{ Payload Payload[UpdateProfileBody] }) (*output[User], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	if body.ProfilePic == nil {
		return nil, fault.Field("profilePic", "image_missing", "Please select an image file!")
	}
	changed, err := s.accounts.SetPicture(ctx, actor(ctx), *body.ProfilePic)
	if err != nil {
		return nil, err
	}
	user, err := s.withWallet(ctx, changed)
	return respond(user), err
}

// PublicUser is a user as shown to everyone.
type PublicUser struct {
	user.Ref
	IsVerified   bool      `json:"isVerified" example:"true"`
	SecondFactor bool      `json:"secondFactor" doc:"Whether a login takes a second step."`
	CreatedAt    time.Time `json:"createdAt"`
}

// Profile is a user's public profile.
type Profile struct {
	User                 PublicUser `json:"user"`
	Posts                []Post     `json:"posts" doc:"The newest twelve, with the beginnings of their descriptions; /posts/user has all."`
	PostCount            int        `json:"postCount" doc:"Of all posts." example:"1"`
	Reviews              []Review   `json:"reviews" doc:"The newest ten received, with the beginnings of their comments; /reviews has all."`
	SuccessScore         *int       `json:"successScore" doc:"Percent of completed over finished deals that both agreed to, as buyer and seller; null before the first." example:"96"`
	CompletedDeals       int        `json:"completedDeals" doc:"As buyer and seller." example:"24"`
	FinishedDeals        int        `json:"finishedDeals" doc:"Completed or cancelled, of those that both agreed to: what successScore is a percentage of." example:"25"`
	AverageRating        *float64   `json:"averageRating" doc:"1 to 5, to one decimal; null without reviews that count." example:"4.8"`
	RatingCount          int        `json:"ratingCount" doc:"Of the reviews that count in averageRating." example:"1"`
	ReviewCount          int        `json:"reviewCount" doc:"Of all reviews." example:"1"`
	Partners             int        `json:"partners" doc:"Different people with whom deals were completed, as buyer and seller." example:"12"`
	VolumeBand           string     `json:"volumeBand" enum:"none,under_100,100_1000,1000_10000,over_10000" doc:"Sum of the prices of the completed deals, in dollars."`
	TypicalDeliveryHours *int       `json:"typicalDeliveryHours" doc:"From the payment to the first delivery: the median of the latest 50 completed deals as seller, rounded up; null under three." example:"18"`
	TypicalAnswerMinutes *int       `json:"typicalAnswerMinutes" doc:"From another's first message to the first reply: the median of at most 50 conversations of the last 90 days, rounded up; null under three." example:"12"`
}

// Rows of a profile's lists.
const (
	profilePosts   = 12
	profileReviews = 10
)

func (s *Server) profile(ctx context.Context, in *UsernamePath) (*output[Profile], error) {
	user, err := s.accounts.Find(ctx, in.Username)
	if err != nil {
		return nil, err
	}
	published, postCount, err := s.posts.ListByUser(ctx, user.ID, postgres.Page{Limit: profilePosts})
	if err != nil {
		return nil, err
	}
	received, count, err := s.reviews.List(ctx, reviews.Query{Reviewed: user.ID, Page: postgres.Page{Limit: profileReviews}})
	if err != nil {
		return nil, err
	}
	standing, err := s.reports.Standing(ctx, user.ID, reports.Period{})
	if err != nil {
		return nil, err
	}
	trade, err := s.reports.Trade(ctx, user.ID)
	if err != nil {
		return nil, err
	}
	pace, err := s.reports.Pace(ctx, user.ID)
	return respond(Profile{
		User:  PublicUser{Ref: user.Ref(), IsVerified: user.IsVerified, SecondFactor: user.SecondFactor, CreatedAt: user.CreatedAt},
		Posts: mapped(published, postOf), PostCount: postCount, Reviews: mapped(received, reviewOf),
		SuccessScore: standing.SuccessScore(), CompletedDeals: standing.Completed, FinishedDeals: standing.Finished,
		AverageRating: standing.AverageRating, RatingCount: standing.Ratings, ReviewCount: count,
		Partners: trade.Partners, VolumeBand: string(trade.VolumeBand()),
		TypicalDeliveryHours: pace.DeliveryHours, TypicalAnswerMinutes: pace.AnswerMinutes,
	}), err
}
