package chat

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

// sqlUnreadOf lists the conversations that one of the two sides has not read, in which the first
// unread message, which the other has written, is old enough. Conversations are paged by the time
// of their last message, which their partial indexes are sorted by.
func sqlUnreadOf(reader, sender, read, told string) string {
	return `
  (select c.id as conversation_id, c.updated_at, c.` + reader + ` as reader_id, s.username as sender
     from conversations c
     join messages m on m.conversation_id = c.id and m.seq = c.` + read + ` + 1
     join users r on r.id = c.` + reader + `
     join users s on s.id = c.` + sender + `
    where c.` + read + ` < c.last_seq and c.` + told + ` <= c.` + read + ` and c.updated_at >= @since and m.created_at <= @before
      and (c.updated_at, c.id, c.` + reader + `) > (@since, @conversation::uuid, @reader::uuid)
      and r.mail_notices and r.is_verified and r.disabled_at is null and not 'messages' = any(r.mail_off)
      and not exists (select from blocks b where b.blocker_id = r.id and b.blocked_id = s.id)
    order by c.updated_at, c.id limit @limit)`
}

var sqlUnread = `
select conversation_id, updated_at, reader_id, sender from (` +
	sqlUnreadOf("user_a", "user_b", "read_a", "told_a") + `
  union all` + sqlUnreadOf("user_b", "user_a", "read_b", "told_b") + `) found
 order by updated_at, conversation_id, reader_id limit @limit`

func listUnread(ctx context.Context, q postgres.Querier, after unread, before time.Time) ([]unread, error) {
	return postgres.Many[unread](ctx, q, "chat.list_unread", sqlUnread, pgx.NamedArgs{
		"since": after.UpdatedAt, "conversation": after.ConversationID, "reader": after.ReaderID, "before": before, "limit": unreadBatch,
	})
}

const sqlSetTold = `
update conversations
   set told_a = case when user_a = @reader then last_seq else told_a end,
       told_b = case when user_b = @reader then last_seq else told_b end
 where id = @conversation
   and (user_a = @reader and read_a < last_seq and told_a <= read_a or user_b = @reader and read_b < last_seq and told_b <= read_b)`

// setTold returns false if the member has read everything or has been told.
func setTold(ctx context.Context, tx *postgres.Tx, u unread) (bool, error) {
	n, err := postgres.ExecCount(ctx, tx, "chat.set_told", sqlSetTold, pgx.NamedArgs{"conversation": u.ConversationID, "reader": u.ReaderID})
	return n == 1, err
}
