package realtime

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

// loggedFrame is a frame of the log, encoded.
type loggedFrame struct {
	userID  uuid.UUID
	seq     int64
	encoded []byte
}

// eventRow is an event of the log. The event's columns are null if the user has none.
type eventRow struct {
	UserID  uuid.UUID
	Head    int64
	Seq     *int64
	ID      *uuid.UUID
	Type    *string
	Payload json.RawMessage
	At      *time.Time
}

func (r eventRow) frame() (loggedFrame, error) {
	encoded, err := json.Marshal(Frame{Version: Version, ID: *r.ID, Seq: *r.Seq, Type: *r.Type, At: *r.At, Data: r.Payload})
	return loggedFrame{r.UserID, *r.Seq, encoded}, err
}

// readHead returns the newest seq of a user's log, 0 if it is empty.
func readHead(ctx context.Context, q postgres.Querier, userID uuid.UUID) (head int64, err error) {
	var batch postgres.Batch
	QueueHead(&batch, userID, &head)
	err = batch.Send(ctx, q)
	return head, err
}

// QueueHead queues the reading of the newest seq of a user's log and sets head to it, 0 if the log
// is empty.
func QueueHead(q postgres.Queue, userID uuid.UUID, head *int64) {
	*head = 0
	args := pgx.NamedArgs{"users": []uuid.UUID{userID}}
	postgres.QueueMany(q, "realtime.read_head", sqlHeads, args, func(rows []headRow) error {
		for _, row := range rows {
			*head = row.Seq
		}
		return nil
	})
}

// readEvents returns, for each user, the newest seq of their log and at most limit events after
// their cursor, in order.
func readEvents(ctx context.Context, q postgres.Querier, users []uuid.UUID, cursors []int64, limit int) ([]eventRow, error) {
	return postgres.Many[eventRow](ctx, q, "realtime.read_events", `
		select p.user_id, coalesce(s.seq, 0) as head, e.seq, e.id, e.type, e.payload, e.at
		  from unnest(@users::uuid[], @positions::bigint[]) as p (user_id, position)
		  left join user_seq s on s.user_id = p.user_id
		  left join lateral (
		    select u.seq, u.id, u.type, u.payload, u.at
		      from user_events u
		     where u.user_id = p.user_id and u.seq > p.position
		     order by u.seq
		     limit @limit) e on true
		 order by p.user_id, e.seq`,
		pgx.NamedArgs{"users": users, "positions": cursors, "limit": limit})
}

// headRow is the newest seq of a user's log.
type headRow struct {
	UserID uuid.UUID
	Seq    int64
}

const sqlHeads = `select s.user_id, s.seq from user_seq s where s.user_id = any(@users)`

// readHeads returns the newest seq of each user who has events.
func readHeads(ctx context.Context, q postgres.Querier, users []uuid.UUID) ([]headRow, error) {
	return postgres.Many[headRow](ctx, q, "realtime.read_heads", sqlHeads, pgx.NamedArgs{"users": users})
}
