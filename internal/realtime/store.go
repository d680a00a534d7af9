package realtime

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
)

// @users is sorted by id, with one row per event. The upsert adds each user's count in the same
// order, so it takes its locks in that order too.
const sqlAppend = `
with added as (
  select user_id, count(*) as n from unnest(@users::uuid[]) as u (user_id) group by user_id order by user_id
), bumped as (
  insert into user_seq as s (user_id, seq) select user_id, n from added
  on conflict (user_id) do update set seq = s.seq + excluded.seq
  returning s.user_id, s.seq
), numbered as (
  select e.*, row_number() over (partition by e.user_id order by e.ord) as place
    from unnest(@users::uuid[], @ids::uuid[], @types::text[], @payloads::jsonb[], @ats::timestamptz[])
         with ordinality as e (user_id, id, type, payload, at, ord)
)
insert into user_events (user_id, seq, id, type, payload, at)
select e.user_id, b.seq - a.n + e.place, e.id, e.type, e.payload, e.at
  from numbered e join bumped b using (user_id) join added a using (user_id)
returning id, seq`

type appendedRow struct {
	ID  uuid.UUID
	Seq int64
}

// queueEvents queues the insertion of the events, which must be sorted by user, and sets their Seq
// when it has run.
func queueEvents(tx *postgres.Tx, events []event) {
	users := make([]uuid.UUID, len(events))
	ids := make([]uuid.UUID, len(events))
	types := make([]string, len(events))
	payloads := make([]string, len(events))
	ats := make([]time.Time, len(events))
	frames := make(map[uuid.UUID]*Frame, len(events))
	for i, e := range events {
		users[i], ids[i], types[i], payloads[i], ats[i] = e.userID, e.frame.ID, e.frame.Type, string(e.frame.Data), e.frame.At
		frames[e.frame.ID] = &events[i].frame
	}
	args := postgres.Args{"users": users, "ids": ids, "types": types, "payloads": payloads, "ats": ats}
	postgres.Query[appendedRow]("realtime.append_events", sqlAppend).QueueLast(tx, args, func(row appendedRow) {
		frames[row.ID].Seq = row.Seq
	})
}

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
	readHeads.Queue(q, postgres.Args{"users": []uuid.UUID{userID}}, func(row headRow) { *head = row.Seq })
}

// readEvents returns, for each user, the newest seq of their log and at most limit events after
// their cursor, in order.
var readEvents = postgres.Query[eventRow]("realtime.read_events", `
		select p.user_id, coalesce(s.seq, 0) as head, e.seq, e.id, e.type, e.payload, e.at
		  from unnest(@users::uuid[], @positions::bigint[]) as p (user_id, position)
		  left join user_seq s on s.user_id = p.user_id
		  left join lateral (
		    select u.seq, u.id, u.type, u.payload, u.at
		      from user_events u
		     where u.user_id = p.user_id and u.seq > p.position
		     order by u.seq
		     limit @limit) e on true
		 order by p.user_id, e.seq`)

// headRow is the newest seq of a user's log.
type headRow struct {
	UserID uuid.UUID
	Seq    int64
}

// readHeads returns the newest seq of each user who has events.
var readHeads = postgres.Query[headRow]("realtime.read_heads",
	`select s.user_id, s.seq from user_seq s where s.user_id = any(@users)`)

// Deletes the oldest first, by user_events_at, so that what remains of a log is its end.
var deleteEvents = postgres.Command("realtime.delete_events", `
with old as materialized (
  select user_id, seq, at from user_events where at >= @from and at < @before order by at limit @limit
), gone as (
  delete from user_events e using old where e.user_id = old.user_id and e.seq = old.seq returning 1
)
select (select count(*) from gone) as deleted, count(*) as found, max(at) as last from old`)
