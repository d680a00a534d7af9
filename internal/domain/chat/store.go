package chat

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

type threadRow struct {
	ID              uuid.UUID
	AID             uuid.UUID
	AUsername       string
	AProfilePic     string
	AIsStaff        bool
	AClosed         bool
	ADisabled       bool
	AReadSeq        int64
	ABlocks         bool
	BID             uuid.UUID
	BUsername       string
	BProfilePic     string
	BIsStaff        bool
	BClosed         bool
	BDisabled       bool
	BReadSeq        int64
	BBlocks         bool
	UpdatedAt       time.Time
	LastID          *uuid.UUID
	LastSeq         int64
	LastSenderID    *uuid.UUID
	LastText        *string
	LastImageID     *uuid.UUID
	LastDealEventID *uuid.UUID
	LastCreatedAt   *time.Time
	Answered        bool
	PostID          *uuid.UUID
	PostTitle       *string
	PostPrice       *money.Cents
	PostImageID     *uuid.UUID
	PostSellerID    *uuid.UUID
}

func (r threadRow) thread() thread {
	t := thread{
		ID: r.ID,
		Members: [2]member{
			{user.Ref{
				ID: r.AID, Username: r.AUsername, ProfilePic: r.AProfilePic, IsStaff: r.AIsStaff, Closed: r.AClosed,
			}, r.ADisabled, r.AReadSeq, r.ABlocks},
			{user.Ref{
				ID: r.BID, Username: r.BUsername, ProfilePic: r.BProfilePic, IsStaff: r.BIsStaff, Closed: r.BClosed,
			}, r.BDisabled, r.BReadSeq, r.BBlocks},
		},
		UpdatedAt: r.UpdatedAt,
		Answered:  r.Answered,
	}
	if r.LastID != nil {
		t.Last = message{
			ID: *r.LastID, Seq: r.LastSeq, SenderID: *r.LastSenderID, Text: catalog.Shorten(*r.LastText, lastLetters),
			ImageID: r.LastImageID, DealEventID: r.LastDealEventID, CreatedAt: *r.LastCreatedAt,
		}
	}
	if r.PostID != nil {
		t.Post = &AboutPost{ID: *r.PostID, Title: *r.PostTitle, Price: *r.PostPrice, Image: imageURL(r.PostImageID), SellerID: *r.PostSellerID}
	}
	return t
}

// lastLetters is how much of the last message is shown. SQL reads one character more.
const lastLetters = 100

// Reads no more of the last message than a preview needs, and no hidden post.
const sqlThread = `
select c.id, c.updated_at, c.last_seq, c.answered,
       a.id as a_id, a.username as a_username, a.profile_pic as a_profile_pic, a.is_admin as a_is_staff,
       a.closed_at is not null as a_closed,
       a.disabled_at is not null as a_disabled, c.read_a as a_read_seq,
       exists (select from blocks where blocker_id = c.user_a and blocked_id = c.user_b) as a_blocks,
       b.id as b_id, b.username as b_username, b.profile_pic as b_profile_pic, b.is_admin as b_is_staff,
       b.closed_at is not null as b_closed,
       b.disabled_at is not null as b_disabled, c.read_b as b_read_seq,
       exists (select from blocks where blocker_id = c.user_b and blocked_id = c.user_a) as b_blocks,
       m.id as last_id, m.sender_id as last_sender_id, left(m.text, 101) as last_text, m.image_id as last_image_id,
       m.deal_event_id as last_deal_event_id, m.created_at as last_created_at,
       p.id as post_id, p.title as post_title, p.price as post_price, p.image_id as post_image_id, p.created_by as post_seller_id
  from conversations c
  join users a on a.id = c.user_a
  join users b on b.id = c.user_b
  left join messages m on m.conversation_id = c.id and m.seq = c.last_seq
  left join posts p on p.id = c.post_id and p.hidden_by is null`

const sqlByID = sqlThread + ` where c.id = @id`

func getThread(ctx context.Context, q postgres.Querier, id uuid.UUID) (thread, error) {
	return oneThread(ctx, q, "chat.get", sqlByID, pgx.NamedArgs{"id": id})
}

// Only members take the lock.
const sqlLock = `select from conversations where id = @id and @member::uuid in (user_a, user_b) for update`

// queueLock queues the locking of a member's conversation until the transaction ends, so that no
// other transaction can add messages, and passes the conversation to use, unless there is none.
// Locking is a statement of its own, so that the last message read is current.
func queueLock(tx *postgres.Tx, id, member uuid.UUID, use func(t thread)) {
	args := pgx.NamedArgs{"id": id, "member": member}
	locked := false
	postgres.QueueCount(tx, "chat.lock", sqlLock, args, func(n int64) error {
		locked = n == 1
		return nil
	})
	postgres.QueueMany(tx, "chat.get", sqlByID, pgx.NamedArgs{"id": id}, func(rows []threadRow) error {
		if locked {
			use(rows[0].thread())
		}
		return nil
	})
}

// lockThread is queueLock without other statements. Code NotFound.
func lockThread(ctx context.Context, tx *postgres.Tx, id, member uuid.UUID) (thread, error) {
	var t *thread
	queueLock(tx, id, member, func(locked thread) { t = &locked })
	if err := tx.Flush(ctx); err != nil {
		return thread{}, err
	}
	if t == nil {
		return thread{}, errNotFound()
	}
	return *t, nil
}

const sqlPair = ` where c.user_a = least(@one::uuid, @other::uuid) and c.user_b = greatest(@one::uuid, @other::uuid)`

// getPair reads the conversation of two users. Code NotFound if they have none.
func getPair(ctx context.Context, q postgres.Querier, one, other uuid.UUID) (thread, error) {
	return oneThread(ctx, q, "chat.get_pair", sqlThread+sqlPair, pgx.NamedArgs{"one": one, "other": other})
}

func pairExists(ctx context.Context, q postgres.Querier, one, other uuid.UUID) (bool, error) {
	return postgres.Value[bool](ctx, q, "chat.pair_exists", `select exists (select from conversations c`+sqlPair+`)`,
		pgx.NamedArgs{"one": one, "other": other})
}

func oneThread(ctx context.Context, q postgres.Querier, name, sql string, args pgx.NamedArgs) (thread, error) {
	found, err := postgres.OneAs(ctx, q, name, sql, args, threadRow.thread)
	return found, postgres.IfNoRows(err, errNotFound())
}

const sqlInsertConversation = `
insert into conversations (id, user_a, user_b, started_by, created_at, updated_at)
values (@id, least(@starter::uuid, @other::uuid), greatest(@starter::uuid, @other::uuid), @starter, @now, @now)
on conflict on constraint conversations_pair do nothing`

// insertConversation creates the conversation of two users unless it exists. It waits for a
// concurrent transaction that creates the same conversation.
func insertConversation(ctx context.Context, tx *postgres.Tx, id, starter, other uuid.UUID, now time.Time) (created bool, err error) {
	n, err := postgres.ExecCount(ctx, tx, "chat.insert_conversation", sqlInsertConversation,
		pgx.NamedArgs{"id": id, "starter": starter, "other": other, "now": now})
	return n == 1, err
}

// setPost makes a post what a conversation is about.
func setPost(ctx context.Context, tx *postgres.Tx, id, post uuid.UUID) error {
	return postgres.Exec(ctx, tx, "chat.set_post", `update conversations set post_id = @post where id = @id`,
		pgx.NamedArgs{"id": id, "post": post})
}

const sqlIsMember = `select exists (select from conversations where id = @id and @user in (user_a, user_b))`

func isMember(ctx context.Context, q postgres.Querier, id, userID uuid.UUID) (bool, error) {
	return postgres.Value[bool](ctx, q, "chat.is_member", sqlIsMember, pgx.NamedArgs{"id": id, "user": userID})
}

// Scans both indexes from the newest entry, no further than the page reaches.
const sqlInbox = `
with page as (
  select id, updated_at from (
    (select id, updated_at from conversations where user_a = @user and (last_seq > 0 or started_by = @user)
      order by updated_at desc, id desc limit @upto)
    union all
    (select id, updated_at from conversations where user_b = @user and (last_seq > 0 or started_by = @user)
      order by updated_at desc, id desc limit @upto)
  ) both_sides
  order by updated_at desc, id desc limit @limit offset @offset
)` + sqlThread + `
  join page on page.id = c.id
 order by page.updated_at desc, page.id desc`

func listInbox(ctx context.Context, q postgres.Querier, userID uuid.UUID, page postgres.Page) ([]thread, error) {
	return postgres.ManyAs(ctx, q, "chat.list_inbox", sqlInbox, pgx.NamedArgs{
		"user": userID, "limit": page.Limit, "offset": page.Offset, "upto": page.Offset + page.Limit,
	}, threadRow.thread)
}

const sqlCountInbox = `
select (select count(*) from conversations where user_a = @user and (last_seq > 0 or started_by = @user))
     + (select count(*) from conversations where user_b = @user and (last_seq > 0 or started_by = @user))`

func countInbox(ctx context.Context, q postgres.Querier, userID uuid.UUID) (int, error) {
	return postgres.Value[int](ctx, q, "chat.count_inbox", sqlCountInbox, pgx.NamedArgs{"user": userID})
}

const sqlHasUnread = `
select exists (select from conversations where user_a = @user and read_a < last_seq)
    or exists (select from conversations where user_b = @user and read_b < last_seq)`

func hasUnread(ctx context.Context, q postgres.Querier, userID uuid.UUID) (bool, error) {
	return postgres.Value[bool](ctx, q, "chat.has_unread", sqlHasUnread, pgx.NamedArgs{"user": userID})
}

const sqlMarkRead = `
update conversations
   set read_a = case when user_a = @reader then last_seq else read_a end,
       read_b = case when user_b = @reader then last_seq else read_b end
 where id = @id`

// queueRead queues that all messages of a locked conversation have been read by a member.
func queueRead(tx *postgres.Tx, id, reader uuid.UUID) {
	postgres.QueueExec(tx, "chat.mark_read", sqlMarkRead, pgx.NamedArgs{"id": id, "reader": reader})
}
