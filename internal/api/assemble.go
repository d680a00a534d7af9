package api

import (
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"golang.org/x/time/rate"

	"amanat/internal/accounts"
	"amanat/internal/chat"
	"amanat/internal/clock"
	"amanat/internal/config"
	"amanat/internal/deals"
	"amanat/internal/feedback"
	"amanat/internal/images"
	"amanat/internal/limit"
	"amanat/internal/money"
	"amanat/internal/notifications"
	"amanat/internal/operations"
	"amanat/internal/postgres"
	"amanat/internal/posts"
	"amanat/internal/realtime"
	"amanat/internal/referrals"
	"amanat/internal/reports"
	"amanat/internal/reviews"
	"amanat/internal/wallet"
)

// Messenger carries events, outcomes and the ends of sessions between processes. It must not block and may lose messages; *realtime.Redis is one.
type Messenger interface {
	realtime.Publisher
	operations.Announcer
	accounts.SessionEnder
	Publish(channel string, payload any)
}

// Dependencies are what a process gives to the api it runs. All are required but Origins and SessionClock.
type Dependencies struct {
	Config   config.API
	Clock    clock.Clock
	DB       postgres.DB         // logged in as the api's role
	Jobs     operations.Enqueuer // a River client that only inserts
	Limiter  *limit.Limiter
	Link     *realtime.Link // run by the process, like the hub of the server
	Logger   *slog.Logger
	Messages Messenger
	Metrics  prometheus.Registerer
	Redis    *redis.Client // for who is online
	UI       fs.FS
	Waiter   *operations.Waiter // told of outcomes by the link

	Origins      []string    // see Options
	SessionClock clock.Clock // nil: Clock; see accounts.Options
}

// Assemble makes the services and the server on top of them. It starts nothing.
func Assemble(d Dependencies) (*Server, error) {
	publicURL, err := url.Parse(d.Config.PublicURL)
	if err != nil {
		return nil, fmt.Errorf("public URL: %w", err)
	}
	events := &realtime.Log{Clock: d.Clock, Publish: d.Messages}
	requests := &operations.Service{DB: d.DB, Clock: d.Clock, Enqueuer: d.Jobs, Events: events, Announce: d.Messages}
	notices := &notifications.Service{
		DB: d.DB, Clock: d.Clock, Events: events, Enqueuer: d.Jobs, PublicURL: d.Config.PublicURL,
	}
	pictures := images.New(images.Options{DB: d.DB, Clock: d.Clock, Limiter: d.Limiter, Limit: d.Config.PictureLimit})
	people := accounts.New(accounts.Options{
		DB: d.DB, Clock: d.Clock, SessionClock: d.SessionClock, Images: pictures, Jobs: d.Jobs, Limiter: d.Limiter,
		Limits: accountLimits(d.Config.Limits), Notices: notices, Queues: events, Sessions: d.Messages,
	})
	conversations := &chat.Service{DB: d.DB, Clock: d.Clock, Operations: requests, Events: events, Images: pictures}
	hub, presence, err := assembleSockets(d, people, conversations)
	if err != nil {
		return nil, fmt.Errorf("sockets: %w", err)
	}
	return New(Options{
		Accounts:   people,
		Chat:       conversations,
		Clock:      d.Clock,
		DB:         d.DB,
		Deals:      &deals.Service{DB: d.DB, Clock: d.Clock, Operations: requests, Events: events, Notices: notices, Jobs: d.Jobs},
		Feedback:   &feedback.Service{DB: d.DB, Clock: d.Clock, Jobs: d.Jobs, Queues: events, Operations: requests},
		Hub:        hub,
		Images:     pictures,
		Limiter:    d.Limiter,
		Logger:     d.Logger,
		Metrics:    d.Metrics,
		Notices:    notices,
		Operations: requests,
		Presence:   presence,
		Posts:      &posts.Service{DB: d.DB, Clock: d.Clock, Images: pictures, Operations: requests},
		Referrals:  &referrals.Service{DB: d.DB, Clock: d.Clock, Operations: requests, Events: events, Notices: notices},
		Reports:    &reports.Service{DB: d.DB, Clock: d.Clock},
		Reviews:    &reviews.Service{DB: d.DB, Clock: d.Clock, Notices: notices, Operations: requests},
		UI:         d.UI,
		Waiter:     d.Waiter,
		Wallet: &wallet.Service{
			DB: d.DB, Clock: d.Clock, Operations: requests, Events: events, Notices: notices, Jobs: d.Jobs,
		},

		AdminReauth: d.Config.AdminReauth,
		Limits:      d.Config.Limits,
		Origins:     d.Origins,
		PublicURL:   publicURL,
		Offsets:     Offsets{Users: d.Config.PublicUserOffset, USD: money.Cents(d.Config.PublicUSDOffset * 100)},
		Receivers: []Receiver{
			{PaymentMethod: wallet.Bkash, Number: d.Config.BkashNumber},
			{PaymentMethod: wallet.Nagad, Number: d.Config.NagadNumber},
		},
		TrustedProxies: d.Config.TrustedProxies,
	})
}

// assembleSockets makes the hub, what it calls, and what else hears the link.
func assembleSockets(d Dependencies, people *accounts.Service, conversations *chat.Service) (*realtime.Hub, *realtime.Presence, error) {
	presence := realtime.NewPresence(realtime.PresenceOptions{
		Node: uuid.NewString(), Client: d.Redis, Publish: d.Messages.Publish, Channels: d.Link, Partners: conversations.Partners,
		Logger: d.Logger,
	})
	d.Link.HandleSettled(d.Waiter.Settled)
	frames := &socketFrames{chat: conversations, typing: limit.New(limit.Options{Clock: d.Clock})}
	hub, err := realtime.New(realtime.Options{
		DB: d.DB, Clock: d.Clock, Limits: socketLimits(d.Config.Limits), Link: d.Link, Logger: d.Logger, Metrics: d.Metrics,
		Sessions: people.LivingSessions,
		Hooks:    realtime.Hooks{Joined: presence.Joined, Left: presence.Left, Socket: presence.Socket, Receive: frames.receive},
	})
	return hub, presence, err
}

func accountLimits(c config.Limits) accounts.Limits {
	return accounts.Limits{
		LoginAccount: c.LoginAccountLimit,
		LoginBrowser: c.LoginBrowserLimit,
		LoginAddress: c.LoginAddressLimit,
		Password:     c.PasswordLimit,
		ResetEmail:   c.ForgotEmailLimit,
	}
}

func socketLimits(c config.Limits) realtime.Limits {
	limits := realtime.Limits{Sockets: c.Sockets, FrameBytes: c.SocketFrameBytes, Frames: rate.Inf}
	if r := c.SocketFramesLimit; r.Count > 0 {
		limits.Frames, limits.FrameBurst = rate.Every(r.Per/time.Duration(r.Count)), r.Count
	}
	return limits
}
