package chat

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
)

// Mailer tells people who are away of messages that they have not read. It is for workers.
type Mailer struct {
	DB      postgres.DB
	Clock   clock.Clock
	Notices Notices
	Online  Online
}

// Notices notifies a user. *notifications.Service implements it.
type Notices interface {
	Notify(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, kind catalog.Kind, params catalog.Params, link string) error
}

// Online tells which of the users have a page open. *realtime.Redis implements it.
type Online interface {
	Online(ctx context.Context, users []uuid.UUID) (map[uuid.UUID]struct{}, error)
}

// Rules of the emails about unread messages (docs/rules.md#unread-mails).
const (
	unreadFor = 10 * time.Minute
	// Older messages are left alone: workers may have been down, and users had no pages open.
	unreadUpTo  = 24 * time.Hour
	unreadBatch = 200
)

// unread is a member of a conversation with messages that they have not read.
type unread struct {
	ConversationID uuid.UUID
	UpdatedAt      time.Time
	ReaderID       uuid.UUID
	Sender         string
}

// TellUnread notifies and emails everybody who has not read a message for ten minutes, has no page
// open and gets emails about messages: once for each conversation, until they have read it. It
// returns how many it told. Any number of workers may run it concurrently.
func (m *Mailer) TellUnread(ctx context.Context) (int, error) {
	var told int
	var failures []error
	now := m.Clock.Now()
	after := unread{UpdatedAt: now.Add(-unreadUpTo)}
	for {
		found, err := listUnread(ctx, m.DB, after, now.Add(-unreadFor))
		if err != nil || len(found) == 0 {
			return told, errors.Join(append(failures, err)...)
		}
		after = found[len(found)-1]
		readers := make([]uuid.UUID, len(found))
		for i, u := range found {
			readers[i] = u.ReaderID
		}
		online, err := m.Online.Online(ctx, readers)
		if err != nil {
			return told, errors.Join(append(failures, err)...)
		}
		for _, u := range found {
			if _, is := online[u.ReaderID]; is {
				continue
			}
			// A failing conversation must not block the others.
			done, err := m.tell(ctx, u)
			if err != nil {
				failures = append(failures, err)
			}
			if done {
				told++
			}
		}
		if len(found) < unreadBatch || ctx.Err() != nil {
			return told, errors.Join(failures...)
		}
	}
}

// tell notifies one member, unless they have read the messages or have been told meanwhile.
func (m *Mailer) tell(ctx context.Context, u unread) (done bool, err error) {
	err = postgres.WithTx(ctx, m.DB, func(tx *postgres.Tx) error {
		done, err = setTold(ctx, tx, u)
		if err != nil || !done {
			return err
		}
		return m.Notices.Notify(ctx, tx, u.ReaderID, catalog.MessagesUnread, catalog.Params{"username": u.Sender},
			"/inbox/"+u.ConversationID.String())
	})
	return done && err == nil, err
}
