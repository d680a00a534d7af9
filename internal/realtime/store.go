package realtime

import (
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

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
	for i, e := range events {
		users[i], ids[i], types[i], payloads[i], ats[i] = e.userID, e.frame.ID, e.frame.Type, string(e.frame.Data), e.frame.At
	}
	args := pgx.NamedArgs{"users": users, "ids": ids, "types": types, "payloads": payloads, "ats": ats}
	postgres.QueueLast(tx, "realtime.append_events", sqlAppend, args, func(rows []appendedRow) {
		seqs := make(map[uuid.UUID]int64, len(events))
		for _, row := range rows {
			seqs[row.ID] = row.Seq
		}
		for i := range events {
			events[i].frame.Seq = seqs[events[i].frame.ID]
		}
	})
}
