package chat

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

const sqlInsertMessage = `
with placed as (
  update conversations
     set last_seq = @seq, updated_at = @at, answered = @answered,
         read_a = case when user_a = @sender then @seq else read_a end,
         read_b = case when user_b = @sender then @seq else read_b end
   where id = @conversation
)
insert into messages (id, conversation_id, seq, sender_id, text, image_id, created_at, client_key, deal_event_id)
values (@id, @conversation, @seq, @sender, @text, @image, @at, @key, @event)`

// queueMessage queues the last message of a locked conversation, which add has just appended.
func queueMessage(tx *postgres.Tx, t *thread) {
	m := t.Last
	postgres.QueueExec(tx, "chat.insert_message", sqlInsertMessage, pgx.NamedArgs{
		"id": m.ID, "conversation": t.ID, "answered": t.Answered, "seq": m.Seq, "sender": m.SenderID, "text": m.Text, "image": m.ImageID,
		"at": m.CreatedAt, "key": m.ClientKey, "event": m.DealEventID,
	})
}

const sqlSelectMessage = `select id, seq, sender_id, text, image_id, created_at, client_key, erased, deal_event_id from messages`

const sqlMessagesBefore = sqlSelectMessage + `
 where conversation_id = @conversation and seq < @before
 order by seq desc
 limit @limit`

// messagesBefore reads messages below a sequence number, newest first.
func messagesBefore(ctx context.Context, q postgres.Querier, conversation uuid.UUID, before int64, limit int) ([]message, error) {
	list, err := postgres.Many[message](ctx, q, "chat.messages_before", sqlMessagesBefore,
		pgx.NamedArgs{"conversation": conversation, "before": before, "limit": limit})
	if err != nil {
		return nil, err
	}
	return list, readActs(ctx, q, list)
}

const sqlFindPlace = `select conversation_id, seq from messages where id = @id`

// findPlace returns the conversation of a message and its number there.
func findPlace(ctx context.Context, q postgres.Querier, id uuid.UUID) (conversation uuid.UUID, seq int64, found bool, err error) {
	err = postgres.Scan(ctx, q, "chat.find_place", sqlFindPlace, pgx.NamedArgs{"id": id}, &conversation, &seq)
	_, found, err = postgres.Optional(seq, err)
	return conversation, seq, found, err
}

const sqlMessage = sqlSelectMessage + ` where id = @id and conversation_id = @conversation`

// findMessage reads a message of a conversation.
func findMessage(ctx context.Context, q postgres.Querier, conversation, id uuid.UUID) (m message, found bool, err error) {
	list, err := postgres.Many[message](ctx, q, "chat.find_message", sqlMessage, pgx.NamedArgs{"id": id, "conversation": conversation})
	if err != nil || len(list) == 0 {
		return message{}, false, err
	}
	err = readActs(ctx, q, list)
	return list[0], err == nil, err
}
