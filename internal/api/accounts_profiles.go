package api

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/domain/accounts"
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

func (s *Server) registerSettings() {
	register(s, endpoint{
		id: "sessions", method: http.MethodGet, path: "/auth/sessions", tag: accountTag,
		summary: "Where the user is signed in, the session used last first",
	}, s.sessions)
	register(s, endpoint{
		id: "end-session", method: http.MethodDelete, path: "/auth/sessions/{id}", tag: accountTag,
		summary: "Sign out of one of one's browsers",
	}, s.endSession)
	register(s, endpoint{
		id: "end-other-sessions", method: http.MethodDelete, path: "/auth/sessions", tag: accountTag,
		summary: "Sign out of all of one's browsers but this one",
	}, s.endOtherSessions)
	register(s, endpoint{
		id: "activity", method: http.MethodGet, path: "/auth/activity", tag: accountTag,
		summary: "What happened to the security of the user's account in the last 90 days, newest first, at most 50",
	}, s.activity)
	register(s, endpoint{
		id: "set-language", method: http.MethodPut, path: "/auth/language", tag: accountTag,
		summary: "Choose the language of notifications and mails",
	}, s.setLanguage)
	register(s, endpoint{
		id: "set-mail-notices", method: http.MethodPut, path: "/auth/mail-notices", tag: accountTag,
		summary: "Choose whether notices of money also come as mail; those about the account always come",
	}, s.setMailNotices)
	register(s, endpoint{
		id: "set-away", method: http.MethodPut, path: "/auth/away", tag: accountTag,
		summary: "Say until when the user is away, or that they are back",
	}, s.setAway)
	register(s, endpoint{
		id: "unsubscribe", method: http.MethodPost, path: unsubscribePath, tag: accountTag, access: anyone,
		summary: "Stop the mails of notices with the token that stands in each; mail programs post here by themselves (RFC 8058)",
	}, s.unsubscribe)
}

// Activity is something that happened to the security of the user's account.
type Activity struct {
	ID        uuid.UUID `json:"_id"`
	Kind      string    `json:"kind" enum:"account_opened,login,login_failed,factor_failed,passkey_copied,password_changed,reset_asked,password_reset,email_verified,email_asked,email_changed,email_undone,app_added,app_removed,passkey_added,passkey_removed,codes_made,others_ended,withdrawals_stopped,withdrawal_confirmed"`
	At        time.Time `json:"at"`
	Address   string    `json:"address" doc:"Of the request." example:"203.0.113.7"`
	UserAgent string    `json:"userAgent" example:"Mozilla/5.0 (Android 15; Mobile)"`
}

func (s *Server) activity(ctx context.Context, _ *struct{}) (*output[[]Activity], error) {
	list, err := s.accounts.Activity(ctx, actor(ctx).ID)
	return respond(mapped(list, func(e accounts.Event) Activity {
		return Activity{ID: e.ID, Kind: string(e.Kind), At: e.At, Address: e.Address, UserAgent: e.UserAgent}
	})), err
}

// Session is one of the user's sessions.
type Session struct {
	ID         uuid.UUID `json:"_id"`
	UserAgent  string    `json:"userAgent" example:"Mozilla/5.0 (Android 15; Mobile)"`
	Address    string    `json:"address" example:"203.0.113.7"`
	CreatedAt  time.Time `json:"createdAt"`
	LastSeenAt time.Time `json:"lastSeenAt"`
	Current    bool      `json:"current" doc:"Whether it is the one that asks." example:"true"`
}

func (s *Server) sessions(ctx context.Context, _ *struct{}) (*output[[]Session], error) {
	list, err := s.accounts.Sessions(ctx, actor(ctx).ID)
	current := callOf(ctx).session.ID
	return respond(mapped(list, func(o accounts.OpenSession) Session {
		return Session{
			ID: o.ID, UserAgent: o.UserAgent, Address: o.Address, CreatedAt: o.CreatedAt, LastSeenAt: o.LastSeenAt, Current: o.ID == current,
		}
	})), err
}

func (s *Server) endSession(ctx context.Context, _ *IDPath) (*output[Message], error) {
	if err := s.accounts.EndSession(ctx, actor(ctx).ID, pathID(ctx)); err != nil {
		return nil, err
	}
	s.securityEvent(ctx, slog.LevelInfo, "session ended", callOf(ctx).userID())
	return respond(Message{catalog.Outcome{Code: "session_ended", Message: "Session ended."}}), nil
}

func (s *Server) endOtherSessions(ctx context.Context, _ *struct{}) (*output[Message], error) {
	c := callOf(ctx)
	if err := s.accounts.EndOtherSessions(ctx, c.user.ID, c.session.ID); err != nil {
		return nil, err
	}
	s.securityEvent(ctx, slog.LevelInfo, "other sessions ended", &c.user.ID)
	return respond(Message{catalog.Outcome{Code: "other_sessions_ended", Message: "All other sessions have ended."}}), nil
}

// LanguageBody is the body that sets the language.
type LanguageBody struct {
	Language string `json:"language" enum:"en,bn"`
}

func (s *Server) setLanguage(ctx context.Context, in *struct{ Payload Payload[LanguageBody] }) (*output[User], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	user, err := s.accounts.SetLanguage(ctx, actor(ctx).ID, body.Language)
	if err != nil {
		return nil, err
	}
	wire, err := s.withWallet(ctx, user)
	return respond(wire), err
}

// MailNoticesBody is the body that sets the email preference.
type MailNoticesBody struct {
	Enabled *bool `json:"enabled" example:"true"`
}

func (s *Server) setMailNotices(ctx context.Context, in *struct{ Payload Payload[MailNoticesBody] }) (*output[Me], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	if body.Enabled == nil {
		return nil, fault.Field("enabled", "not_boolean", "enabled must be true or false.")
	}
	user, err := s.accounts.SetMailNotices(ctx, actor(ctx).ID, *body.Enabled)
	if err != nil {
		return nil, err
	}
	return s.meOf(ctx, user)
}

// AwayBody is the body that sets the last day on which the user is away.
type AwayBody struct {
	Until string `json:"until" doc:"YYYY-MM-DD in Asia/Dhaka, from today to 60 days ahead; \"\" says that the user is back." example:"2026-12-03"`
}

func (s *Server) setAway(ctx context.Context, in *struct{ Payload Payload[AwayBody] }) (*output[User], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	until, err := dayIn("until", body.Until)
	if err != nil {
		return nil, err
	}
	changed, err := s.accounts.SetAway(ctx, actor(ctx).ID, until)
	if err != nil {
		return nil, err
	}
	wire, err := s.withWallet(ctx, changed)
	return respond(wire), err
}

const unsubscribePath = "/mail/unsubscribe"

// UnsubscribeQuery is the query of the URL in the List-Unsubscribe header.
type UnsubscribeQuery struct {
	Token string `query:"token" required:"true" example:"Vb1nYk3sQ0e7T9uWxZ2c4d6f8g"`
	Of    string `query:"of" enum:"searches" doc:"Of emails about saved searches only, all of which are turned off."`
}

// ofSearches unsubscribes from emails about saved searches.
const ofSearches = "searches"

func (s *Server) unsubscribe(ctx context.Context, in *UnsubscribeQuery) (*output[Message], error) {
	if of, err := oneOf("of", in.Of, ofSearches); err != nil {
		return nil, err
	} else if of == ofSearches {
		err := s.posts.StopSearches(ctx, in.Token)
		return respond(Message{catalog.Outcome{Code: "searches_stopped", Message: "You will get no more emails about your saved searches."}}), err
	}
	err := s.accounts.Unsubscribe(ctx, in.Token)
	return respond(Message{catalog.Outcome{Code: "mails_stopped", Message: "You will get no more of these mails."}}), err
}

// toUnsubscribePage redirects mail clients that open the URL instead of posting to it. GET changes
// nothing: the page asks for confirmation.
func (s *Server) toUnsubscribePage(w http.ResponseWriter, r *http.Request) {
	query := url.Values{"token": {r.URL.Query().Get("token")}}
	if of := r.URL.Query().Get("of"); of != "" {
		query.Set("of", of)
	}
	page := url.URL{Path: "/unsubscribe", RawQuery: query.Encode()}
	http.Redirect(w, r, page.String(), http.StatusSeeOther)
}
