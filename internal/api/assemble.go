package api

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"

	"amanat/internal/app/config"
	"amanat/internal/app/images"
	"amanat/internal/domain/accounts"
	"amanat/internal/domain/chat"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/feedback"
	"amanat/internal/domain/moderation"
	"amanat/internal/domain/notifications"
	"amanat/internal/domain/personal"
	"amanat/internal/domain/posts"
	"amanat/internal/domain/referrals"
	"amanat/internal/domain/reports"
	"amanat/internal/domain/reviews"
	"amanat/internal/domain/trust"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/passkey"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/ratelimit"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// Messenger publishes events, settled operations and ended sessions to other processes. It must not
// block and may lose messages. *realtime.Redis implements it.
type Messenger interface {
	realtime.Publisher
	operations.Announcer
	accounts.SessionEnder
	Publish(channel string, payload any)
}

// Dependencies are what a process provides to its api. All are required except those at the end.
type Dependencies struct {
	Config   config.API
	Clock    clock.Clock
	DB       postgres.DB   // logged in as the api's role
	Jobs     jobs.Inserter // a River client that only inserts
	Limiter  *ratelimit.Limiter
	Link     *realtime.Link // run by the process, like the hub of the server
	Logger   *slog.Logger
	Messages Messenger
	Metrics  prometheus.Registerer
	Redis    *redis.Client // for presence and views of posts
	UI       fs.FS
	Waiter   *operations.Waiter // notified of settled operations by the link

	Origins      []string          // see options
	SessionClock clock.Clock       // nil: Clock; see accounts.Options
	HashCost     accounts.HashCost // zero: the production cost; see accounts.Options

	TrustBrowsers bool // see accounts.Options
}

// Assemble creates the services and the server. It starts nothing.
func Assemble(d Dependencies) (*Server, error) {
	publicURL, err := url.Parse(d.Config.PublicURL)
	if err != nil {
		return nil, fmt.Errorf("public URL: %w", err)
	}
	passkeys, err := passkey.New(publicURL)
	if err != nil {
		return nil, err
	}
	events := &realtime.Log{Clock: d.Clock, Publish: d.Messages}
	requests := &operations.Service{DB: d.DB, Clock: d.Clock, Enqueuer: d.Jobs, Events: events, Announce: d.Messages}
	notices := &notifications.Service{DB: d.DB, Clock: d.Clock, Events: events}
	pictures, err := newImages(d)
	if err != nil {
		return nil, err
	}
	limits := &trust.Service{DB: d.DB, Clock: d.Clock, Limits: trust.LimitsOf(d.Config.TrustLimits)}
	presence := newPresence(d)
	conversations := &chat.Service{DB: d.DB, Clock: d.Clock, Events: events, Images: pictures, Presence: presence, Pushes: notices}
	dealService := newDeals(d, requests, events, notices, limits, pictures, conversations)
	people := newAccounts(d, accounts.Options{
		DB: d.DB, Images: pictures, Notices: notices, Worklists: events, Deals: dealService, Passkeys: passkeys,
	})
	hub, err := newHub(d, people, conversations, presence)
	if err != nil {
		return nil, fmt.Errorf("sockets: %w", err)
	}
	postService := &posts.Service{DB: d.DB, Clock: d.Clock, Images: pictures, Jobs: d.Jobs, Redis: d.Redis}
	reviewService := &reviews.Service{DB: d.DB, Clock: d.Clock, Notices: notices}
	d.Link.HandleSettled(d.Waiter.Settled)
	parts := services{
		accounts:   people,
		chat:       conversations,
		clock:      d.Clock,
		db:         d.DB,
		deals:      dealService,
		feedback:   &feedback.Service{DB: d.DB, Clock: d.Clock, Jobs: d.Jobs, Worklists: events},
		hub:        hub,
		images:     pictures,
		limiter:    d.Limiter,
		logger:     d.Logger,
		moderation: newModeration(d, events, notices, people, postService, reviewService),
		notices:    notices,
		personal:   &personal.Service{DB: d.DB, Clock: d.Clock, Jobs: d.Jobs},
		posts:      postService,
		presence:   presence,
		referrals:  &referrals.Service{DB: d.DB},
		reports:    &reports.Service{DB: d.DB, Clock: d.Clock},
		reviews:    reviewService,
		trust:      limits,
		waiter:     d.Waiter,
		wallet:     newWallet(d, requests, events, notices, limits),
	}
	return newServer(parts, d.options(publicURL))
}

// options returns what the server itself is configured with.
func (d Dependencies) options(publicURL *url.URL) options {
	return options{
		adminReauth: d.Config.AdminReauth, limits: d.Config.Limits, metrics: d.Metrics, origins: d.Origins,
		publicURL: publicURL, pushKey: d.Config.VAPIDPublicKey,
		offsets:  Offsets{Users: d.Config.PublicUserOffset, USD: money.Cents(d.Config.PublicUSDOffset * 100)},
		operator: cmp.Or(d.Config.Operator, publicURL.Hostname()), trustedProxies: d.Config.TrustedProxies,
		ui: d.UI, warningWords: d.Config.WarningWords(),
	}
}

func newImages(d Dependencies) (*images.Service, error) {
	stored, err := images.OpenBlobs(d.Config.Bucket, d.Metrics)
	if err != nil {
		return nil, err
	}
	return images.New(images.Options{
		DB: d.DB, Clock: d.Clock, Limiter: d.Limiter, Bucket: pictureBucket(d.Config.Limits, d.Clock),
		Blobs: stored, InBlobs: d.Config.Bucket.Written(),
	}), nil
}

// newAccounts creates the accounts service from what other services give it, and the configuration.
func newAccounts(d Dependencies, o accounts.Options) *accounts.Service {
	o.Clock, o.SessionClock, o.Jobs, o.Limiter = d.Clock, d.SessionClock, d.Jobs, d.Limiter
	o.Sessions, o.HashCost, o.Metrics = d.Messages, d.HashCost, d.Metrics
	o.Limits = accountLimits(d.Config.Limits)
	o.StrongAdmins = d.Config.AdminReauth > 0
	o.FactorForAdmins = d.Config.AdminSecondFactor
	o.HoldsOff, o.TrustBrowsers = d.Config.WithdrawalHold == 0, d.TrustBrowsers
	return accounts.New(o)
}

func newDeals(
	d Dependencies, requests *operations.Service, events *realtime.Log, notices *notifications.Service, limits *trust.Service,
	pictures *images.Service, conversations *chat.Service,
) *deals.Service {
	return &deals.Service{
		DB: d.DB, Clock: d.Clock, Operations: requests, Events: events, Notices: notices, Jobs: d.Jobs, Limits: limits,
		Images: pictures, Conversations: conversations,
	}
}

func newWallet(
	d Dependencies, requests *operations.Service, events *realtime.Log, notices *notifications.Service, limits *trust.Service,
) *wallet.Service {
	return &wallet.Service{
		DB: d.DB, Clock: d.Clock, Operations: requests, Events: events, Notices: notices, Jobs: d.Jobs,
		SecondAdminAbove: d.Config.SecondAdminAbove(), Bounds: wallet.BoundsOf(d.Config.Shared), Limits: limits,
		Hours: d.Config.DepositHours, Numbers: d.Config.Receivers,
	}
}

// newModeration creates the moderation service, which acts through the other services.
func newModeration(
	d Dependencies, events *realtime.Log, notices *notifications.Service, people *accounts.Service, published *posts.Service,
	received *reviews.Service,
) *moderation.Service {
	return &moderation.Service{
		DB: d.DB, Clock: d.Clock, Events: events, Notices: notices, Jobs: d.Jobs, Accounts: people, Links: people,
		Posts: published, Reviews: received, FactorForAdmins: d.Config.AdminSecondFactor,
	}
}

func newPresence(d Dependencies) *realtime.Presence {
	return realtime.NewPresence(realtime.PresenceOptions{
		Node: uuid.NewString(), Client: d.Redis, Publish: d.Messages.Publish, Channels: d.Link, Partners: chat.Partners(d.DB), Logger: d.Logger,
	})
}

// newHub creates the hub and its hooks.
func newHub(
	d Dependencies, people *accounts.Service, conversations *chat.Service, presence *realtime.Presence,
) (*realtime.Hub, error) {
	frames := &socketFrames{chat: conversations, typing: ratelimit.New(ratelimit.Options{Clock: d.Clock})}
	return realtime.New(realtime.Options{
		DB: d.DB, Clock: d.Clock, Link: d.Link, Logger: d.Logger, Metrics: d.Metrics,
		Limits: realtime.Limits{
			Sockets: d.Config.Limits.Sockets, FrameBytes: d.Config.Limits.SocketFrameBytes, Frames: d.Config.Limits.SocketFramesLimit,
		},
		Sessions: people.LivingSessions,
		Hooks:    realtime.Hooks{Joined: presence.Joined, Left: presence.Left, Socket: presence.Socket, Receive: frames.receive},
	})
}

// pictureBucket returns the rate limit bucket for the pictures of the call's user.
func pictureBucket(limits config.Limits, now clock.Clock) func(context.Context, uuid.UUID) ratelimit.Bucket {
	pictures := newPersonalLimit("pictures", limits.PictureLimit, limits)
	return func(ctx context.Context, owner uuid.UUID) ratelimit.Bucket {
		return pictures.of(owner, isNew(callOf(ctx), now))
	}
}

func accountLimits(c config.Limits) accounts.Limits {
	return accounts.Limits{
		LoginAccount:  c.LoginAccountLimit,
		LoginBrowser:  c.LoginBrowserLimit,
		LoginAddress:  c.LoginAddressLimit,
		Password:      c.PasswordLimit,
		SecondFactor:  c.SecondFactorLimit,
		SignupAddress: c.SignupLimit,
		ResetAddress:  c.ForgotAddressLimit,
		ResetMailbox:  c.ForgotEmailLimit,
		Mailbox:       c.MailboxLimit,
		MailDomain:    c.MailDomainLimit,
		ResetUnknown:  c.ForgotUnknownLimit,
	}
}
