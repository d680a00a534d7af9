package chat

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/postgres"
)

const sqlInsertMessage = `
with placed as (
  update conversations
     set last_seq = @seq, updated_at = @at,
         read_a = case when user_a = @sender then @seq else read_a end,
         read_b = case when user_b = @sender then @seq else read_b end
   where id = @conversation
)
insert into messages (id, conversation_id, seq, sender_id, text, image_id, created_at)
values (@id, @conversation, @seq, @sender, @text, @image, @at)`

// insertMessage writes the next message of a locked conversation.
func insertMessage(ctx context.Context, tx *postgres.Tx, conversation uuid.UUID, m message) error {
	_, err := tx.Exec(ctx, sqlInsertMessage, pgx.NamedArgs{
		"id": m.ID, "conversation": conversation, "seq": m.Seq, "sender": m.SenderID, "text": m.Text, "image": m.ImageID,
		"at": m.CreatedAt,
	})
	return err
}

const sqlSelectMessage = `select id, seq, sender_id, text, image_id, created_at from messages`

const sqlMessagesBefore = sqlSelectMessage + `
 where conversation_id = @conversation and seq < @before
 order by seq desc
 limit @limit`

// messagesBefore reads messages below a number, newest first.
func messagesBefore(ctx context.Context, q postgres.Querier, conversation uuid.UUID, before int64, limit int) ([]message, error) {
	rows, err := q.Query(ctx, sqlMessagesBefore, pgx.NamedArgs{"conversation": conversation, "before": before, "limit": limit})
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[message])
}

const sqlMessage = sqlSelectMessage + ` where id = @id and conversation_id = @conversation`

// findMessage reads one message of a conversation.
func findMessage(ctx context.Context, q postgres.Querier, conversation, id uuid.UUID) (m message, found bool, err error) {
	rows, err := q.Query(ctx, sqlMessage, pgx.NamedArgs{"id": id, "conversation": conversation})
	if err != nil {
		return message{}, false, err
	}
	m, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[message])
	if errors.Is(err, pgx.ErrNoRows) {
		return message{}, false, nil
	}
	return m, err == nil, err
}
