package notifications

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/webpush"
)

// Pusher sends notices to the browsers of users who are away. It is for workers.
type Pusher struct {
	DB    postgres.DB
	Clock clock.Clock
	Send  PushSender // nil: there are no pushes, and those that are due are removed
}

// PushSender sends a message to a browser. *webpush.Sender implements it.
type PushSender interface {
	Send(ctx context.Context, to webpush.Subscription, m webpush.Message) error
}

const (
	pushSenders = 16 // pushes that are sent side by side
	maxPushAge  = 24 * time.Hour
	// silentPause is the least pause after a service has not answered. Users choose the services,
	// and one that lets the senders wait must not hold up the pushes of others for long.
	silentPause = time.Minute
	// pushWords is the number of characters of a message that a push shows.
	pushWords = 200
)

// Due reports whether a sweep would find a push to send.
func (p *Pusher) Due(ctx context.Context) (bool, error) { return hasDuePushes.One(ctx, p.DB, nil) }

// Sweep sends the pushes that are due, oldest first, and returns the attempts that failed. A failed
// push is retried after a growing pause, or after the one that the push service asks for, until it
// is a day old. One whose browser has ended its subscription ends the subscription.
//
// Delivery is at least once, as for emails, and a repeated push replaces the first one on the
// screen. A push is removed unsent if its reader does not want it or has seen what it tells of, or
// if a newer one has its topic; it waits for the end of the reader's quiet hours if it can.
func (p *Pusher) Sweep(ctx context.Context) ([]Failure[int64], error) {
	if p.Send == nil {
		return nil, removeAllDuePushes.Run(ctx, p.DB, nil)
	}
	return sweep(ctx, p.DB, claimPushes, pushSenders, p.attempt, p.settle)
}

// attempt sends one push if it is still wanted.
func (p *Pusher) attempt(ctx context.Context, push duePush) result {
	now := p.Clock.Now()
	if !push.wanted(now) {
		return result{}
	}
	if wait := push.waits(now); wait > 0 {
		return result{wait: wait}
	}
	message, err := push.message()
	if err != nil {
		return result{err: err}
	}
	// Pushes before it in the batch may have taken a while, and the browser may be logged out.
	if open, err := isOpen.One(ctx, p.DB, postgres.Args{"id": push.SubscriptionID}); err != nil || !open {
		return result{err: err}
	}
	err = p.Send.Send(ctx, push.subscription(), message)
	return result{sent: err == nil, err: err}
}

// settle records the results of a batch and returns the failures. Its statements are not in one
// transaction, whose locks would be taken in another order than those of a logout.
func (p *Pusher) settle(ctx context.Context, batch []duePush, results []result) ([]Failure[int64], error) {
	var done []int64
	var used, gone []uuid.UUID
	var later []postponed[int64]
	var failures []Failure[int64]
	for i, push := range batch {
		switch r := results[i]; {
		case !r.tried || r.wait > 0:
			later = append(later, postponed[int64]{push.ID, push.Attempts, push.Attempts - 1, r.wait, nil})
		case r.err == nil:
			done = append(done, push.ID)
			if r.sent {
				used = append(used, push.SubscriptionID)
			}
		case errors.Is(r.err, webpush.ErrGone):
			done, gone = append(done, push.ID), append(gone, push.SubscriptionID)
		default:
			f := Failure[int64]{ID: push.ID, Attempt: push.Attempts, Err: r.err, GivenUp: errors.Is(r.err, webpush.ErrUndeliverable)}
			failures = append(failures, f)
			if f.GivenUp {
				done = append(done, push.ID)
				continue
			}
			later = append(later, postponed[int64]{push.ID, push.Attempts, push.Attempts, pushPause(push.Attempts, r.err), r.err})
		}
	}
	return failures, errors.Join(
		removePushes(ctx, p.DB, done),
		postpone(ctx, p.DB, postponePushes, later),
		endSubscriptions(ctx, p.DB, gone),
		markUsed(ctx, p.DB, used, p.Clock.Now()),
	)
}

// pushPause returns how long a push waits after the given number of failed attempts.
func pushPause(attempts int, err error) time.Duration {
	pause := mailPause(attempts)
	var retry *webpush.RetryError
	if errors.As(err, &retry) {
		return max(pause, retry.After)
	}
	return max(pause, silentPause)
}

// group returns the group of the push, "" for a test.
func (p duePush) group() Group {
	switch {
	case p.MessageID != nil:
		return GroupMessages
	case p.NotificationID != nil:
		return groupOf(p.Kind)
	}
	return ""
}

// wanted reports whether the push is to be sent at all.
func (p duePush) wanted(now time.Time) bool {
	if !p.Open || p.Superseded || p.Seen || now.Sub(p.CreatedAt) > maxPushAge {
		return false
	}
	return !slices.Contains(p.PushOff, string(p.group()))
}

// waits returns how long the push waits for the end of quiet hours.
func (p duePush) waits(now time.Time) time.Duration {
	if p.group() == "" || p.group().urgent() {
		return 0
	}
	return p.quietFor(now)
}

func (p duePush) subscription() webpush.Subscription {
	return webpush.Subscription{Endpoint: p.Endpoint, P256dh: p.P256dh, Auth: p.Auth}
}

// payload is what the service worker of the UI shows.
type payload struct {
	Title string `json:"title"`
	Body  string `json:"body"`
	Link  string `json:"link"`
	Tag   string `json:"tag"`
	Lang  string `json:"lang"`
}

func (p duePush) message() (webpush.Message, error) {
	shown := payload{Link: p.Link, Tag: p.Topic, Lang: p.Language}
	title, body, params := p.texts()
	shown.Title = catalog.Render(p.Language, title, nil)
	shown.Body = catalog.Render(p.Language, body, params)
	if p.MessageID != nil {
		shown.Link = "/inbox/" + p.ConversationID.String()
	}
	content, err := json.Marshal(shown)
	lifetime, urgent := maxPushAge, true
	if group := p.group(); group != "" {
		lifetime, urgent = group.lifetime(), group.urgent()
	}
	return webpush.Message{Payload: content, TTL: lifetime, Urgent: urgent, Topic: p.Topic}, err
}

// groupTexts are the title of a group's pushes, and what they say without details.
var groupTexts = map[Group][2]catalog.Kind{
	GroupDeals:     {catalog.PushDeals, catalog.PushDealsBody},
	GroupMoney:     {catalog.PushMoney, catalog.PushMoneyBody},
	GroupMessages:  {catalog.PushMessages, catalog.PushMessagesBody},
	GroupReminders: {catalog.PushReminders, catalog.PushRemindersBody},
	GroupAccount:   {catalog.PushAccount, catalog.PushAccountBody},
}

// texts returns what the push says. Without the user's consent, it has no amounts and nothing that
// users have written, since others may see the screen.
func (p duePush) texts() (title, body catalog.Kind, params catalog.Params) {
	group := p.group()
	title, body = groupTexts[group][0], groupTexts[group][1]
	switch {
	case group == "":
		return catalog.PushTest, catalog.PushTestBody, nil
	case p.MessageID != nil:
		params = catalog.Params{"username": p.Sender, "note": catalog.Shorten(p.Text, pushWords)}
		switch {
		case p.PushDetails && p.Text != "":
			body = catalog.PushWords
		case p.PushDetails && p.Picture:
			body = catalog.PushPicture
		}
		return title, body, params
	case p.PushDetails:
		params = maps.Clone(p.Params)
		if note, noted := params[noteParam]; noted {
			params[noteParam] = catalog.Shorten(note, pushWords)
		}
		return title, p.Kind, params
	case catalog.Discreet(p.Kind):
		return title, p.Kind, catalog.Params{"username": p.Params["username"]}
	}
	return title, body, nil
}

// topicOf returns the topic of the pushes about one thing: a newer one replaces those that wait.
func topicOf(group Group, link string) string {
	sum := sha256.Sum256([]byte(string(group) + " " + link))
	return base64.RawURLEncoding.EncodeToString(sum[:24]) // 32 characters, as many as a topic may have
}

// topic returns the topic of a notice, "" if it is not pushed.
func (r row) topic() string {
	switch {
	case r.Audience != audienceUser, r.IsRead, r.Kind == catalog.MessagesUnread: // the message itself was pushed
		return ""
	case r.Link == "":
		return topicOf(groupOf(r.Kind), r.ID.String())
	}
	return topicOf(groupOf(r.Kind), r.Link)
}

const (
	maxDevices   = 10
	maxUserAgent = 400 // bytes
)

// Outcomes of calls about pushes.
var (
	OutcomeDeviceRemoved = catalog.Outcome{Code: "push_device_removed", Message: "This browser gets no more notifications."}
	OutcomeTestSent      = catalog.Outcome{Code: "push_test_sent", Message: "A test notification is on its way."}
)

// Device is a browser that shows notices while no page is open.
type Device struct {
	ID         uuid.UUID
	SessionID  uuid.UUID
	UserAgent  string
	CreatedAt  time.Time
	LastUsedAt *time.Time // when it was last sent something; nil: never
}

// Subscription is what a browser's Push API gives.
type Subscription struct {
	Endpoint     string
	P256dh, Auth string // in base64
}

// Browser is where a call comes from.
type Browser struct {
	SessionID uuid.UUID
	UserAgent string
}

// Devices returns the user's browsers, the newest first.
func (s *Service) Devices(ctx context.Context, userID uuid.UUID) ([]Device, error) {
	return listDevices.Many(ctx, s.DB, postgres.Args{"user": userID})
}

// Subscribe sends the user's notices to a browser, until its session ends. A browser that is known
// is renewed; one that another user has used is theirs no more. Codes: Invalid for a malformed
// subscription, Conflict if the user has too many browsers, Unauthenticated if the session has
// ended meanwhile.
func (s *Service) Subscribe(ctx context.Context, userID uuid.UUID, browser Browser, given Subscription) (Device, error) {
	if err := webpush.CheckEndpoint(given.Endpoint); err != nil {
		return Device{}, fault.Field("endpoint", "push_endpoint_invalid", "The endpoint is not one of a push service.").Because(err)
	}
	p256dh, auth, err := webpush.ParseKeys(given.P256dh, given.Auth)
	if err != nil {
		return Device{}, fault.Field("keys", "push_keys_invalid", "The keys are not those of a push subscription.").Because(err)
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Device{}, err
	}
	row := deviceRow{
		ID: id, UserID: userID, SessionID: browser.SessionID, Endpoint: given.Endpoint, P256dh: p256dh, Auth: auth,
		// Headers may have any bytes.
		UserAgent: strings.ToValidUTF8(browser.UserAgent[:min(len(browser.UserAgent), maxUserAgent)], ""),
		Now:       s.Clock.Now(),
	}
	var saved Device
	err = postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		if err := lockDevicesOf.Run(ctx, tx, postgres.Args{"user": userID}); err != nil {
			return err
		}
		others, err := countOtherDevices.One(ctx, tx, postgres.Args{"user": userID, "endpoint": given.Endpoint})
		switch {
		case err != nil:
			return err
		case others >= maxDevices:
			return fault.New(fault.Conflict, "too_many_push_devices", "You can get notifications in up to 10 browsers. Remove one first.")
		}
		saved, err = saveDevice(ctx, tx, row)
		return err
	})
	return saved, err
}

// RemoveDevice sends no more notices to a browser. Code NotFound for those of others.
func (s *Service) RemoveDevice(ctx context.Context, userID, id uuid.UUID) error {
	return deleteDevice(ctx, s.DB, userID, id)
}

// TestPush sends a push to each of the user's browsers. Code Conflict if there is none.
func (s *Service) TestPush(ctx context.Context, userID uuid.UUID) error {
	n, err := insertTestPushes.Count(ctx, s.DB, postgres.Args{"user": userID, "topic": testTopic, "now": s.Clock.Now()})
	if err == nil && n == 0 {
		err = fault.New(fault.Conflict, "no_push_device", "Turn on notifications in a browser first.")
	}
	return err
}

// messagePause is how long the push of a message waits for its receiver to read it on an open page.
const messagePause = 10 * time.Second

// PushMessage shows a message in its receiver's browsers when the transaction commits, unless they
// read it at once. The message has been queued before.
func (s *Service) PushMessage(tx *postgres.Tx, receiver, conversation, message uuid.UUID) {
	insertMessagePush.Queue(tx, postgres.Args{
		"user": receiver, "message": message, "topic": topicOf(GroupMessages, conversation.String()), "now": s.Clock.Now(),
		"pause": messagePause,
	})
}

// subscriptionLife is how long a browser gets pushes without being opened. The UI renews its
// subscription each time.
const subscriptionLife = 90 * 24 * time.Hour

// RemoveOldSubscriptions ends the subscriptions of browsers that have not been opened for long, and
// returns their number.
func (p *Pusher) RemoveOldSubscriptions(ctx context.Context) (int64, error) {
	return deleteOldSubscriptions.InBatches(ctx, p.DB, postgres.Args{"before": p.Clock.Now().Add(-subscriptionLife)}, deleteBatch)
}
