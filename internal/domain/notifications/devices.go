package notifications

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/webpush"
)

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
	return listDevices(ctx, s.DB, userID)
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
		if err := lockDevicesOf(ctx, tx, userID); err != nil {
			return err
		}
		others, err := countOtherDevices(ctx, tx, userID, given.Endpoint)
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

// RequireDevice fails with NotFound unless the browser is the user's.
func (s *Service) RequireDevice(ctx context.Context, userID, id uuid.UUID) error {
	_, err := getDevice(ctx, s.DB, userID, id)
	return err
}

// RemoveDevice sends no more notices to a browser. Code NotFound for those of others.
func (s *Service) RemoveDevice(ctx context.Context, userID, id uuid.UUID) error {
	return deleteDevice(ctx, s.DB, userID, id)
}

// TestPush sends a push to each of the user's browsers. Code Conflict if there is none.
func (s *Service) TestPush(ctx context.Context, userID uuid.UUID) error {
	n, err := insertTestPushes(ctx, s.DB, userID, s.Clock.Now())
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
	queueMessagePush(tx, receiver, message, topicOf(GroupMessages, conversation.String()), s.Clock.Now())
}

// subscriptionLife is how long a browser gets pushes without being opened. The UI renews its
// subscription each time.
const subscriptionLife = 90 * 24 * time.Hour

// RemoveOldSubscriptions ends the subscriptions of browsers that have not been opened for long, and
// returns their number.
func (p *Pusher) RemoveOldSubscriptions(ctx context.Context) (int64, error) {
	return deleteOldSubscriptions(ctx, p.DB, p.Clock.Now().Add(-subscriptionLife))
}
