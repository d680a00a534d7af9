package realtime

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/postgres"
)

// loggedFrame is a frame from the log, ready to be sent.
type loggedFrame struct {
	userID  uuid.UUID
	seq     int64
	encoded []byte
}

// eventRow is an event of the log. Its columns are null where a user has none.
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

// readHead returns the newest position of a user's log, 0 when it is empty.
func readHead(ctx context.Context, q postgres.Querier, userID uuid.UUID) (int64, error) {
	var head int64
	err := q.QueryRow(ctx, `select s.seq from user_seq s where s.user_id = @user`, pgx.NamedArgs{"user": userID}).Scan(&head)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return head, err
}

// readEvents returns, for each user, the newest position of the log and at most limit events after the position given for him, in order.
func readEvents(ctx context.Context, q postgres.Querier, users []uuid.UUID, positions []int64, limit int) ([]eventRow, error) {
	rows, err := q.Query(ctx, `
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
		pgx.NamedArgs{"users": users, "positions": positions, "limit": limit})
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[eventRow])
}

// headRow is the newest position of a user's log.
type headRow struct {
	UserID uuid.UUID
	Seq    int64
}

// readHeads returns the newest positions of those users who have one.
func readHeads(ctx context.Context, q postgres.Querier, users []uuid.UUID) ([]headRow, error) {
	rows, err := q.Query(ctx, `select s.user_id, s.seq from user_seq s where s.user_id = any(@users)`, pgx.NamedArgs{"users": users})
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[headRow])
}
