package chat

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/platform/postgres"
)

const sqlInsertMessage = `
with placed as (
  update conversations
     set last_seq = @seq, updated_at = @at, answered = @answered,
         read_a = case when user_a = @sender then @seq else read_a end,
         read_b = case when user_b = @sender then @seq else read_b end
   where id = @conversation
)
insert into messages (id, conversation_id, seq, sender_id, text, image_id, created_at, client_key)
values (@id, @conversation, @seq, @sender, @text, @image, @at, @key)`

// queueMessage queues the last message of a locked conversation, which add has just appended.
func queueMessage(tx *postgres.Tx, t *thread) {
	m := t.Last
	postgres.QueueExec(tx, "chat.insert_message", sqlInsertMessage, pgx.NamedArgs{
		"id": m.ID, "conversation": t.ID, "answered": t.Answered, "seq": m.Seq, "sender": m.SenderID, "text": m.Text, "image": m.ImageID,
		"at": m.CreatedAt, "key": m.ClientKey,
	})
}

const sqlSelectMessage = `select id, seq, sender_id, text, image_id, created_at, client_key, erased from messages`

const sqlMessagesBefore = sqlSelectMessage + `
 where conversation_id = @conversation and seq < @before
 order by seq desc
 limit @limit`

// messagesBefore reads messages below a sequence number, newest first.
func messagesBefore(ctx context.Context, q postgres.Querier, conversation uuid.UUID, before int64, limit int) ([]message, error) {
	return postgres.Many[message](ctx, q, "chat.messages_before", sqlMessagesBefore,
		pgx.NamedArgs{"conversation": conversation, "before": before, "limit": limit})
}

const sqlMessage = sqlSelectMessage + ` where id = @id and conversation_id = @conversation`

// findMessage reads a message of a conversation.
func findMessage(ctx context.Context, q postgres.Querier, conversation, id uuid.UUID) (m message, found bool, err error) {
	return postgres.Optional(postgres.One[message](ctx, q, "chat.find_message", sqlMessage,
		pgx.NamedArgs{"id": id, "conversation": conversation}))
}
