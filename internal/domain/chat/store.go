package chat

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/app/user"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

// threadRow is a conversation; its users, last message and post are records.
type threadRow struct {
	ID        uuid.UUID
	A, B      member
	UpdatedAt time.Time
	Answered  bool
	Last      *message
	Post      *postRow
}

type postRow struct {
	ID       uuid.UUID
	Title    string
	Price    money.Cents
	ImageID  *uuid.UUID
	SellerID uuid.UUID
}

func (r threadRow) thread() thread {
	t := thread{ID: r.ID, Members: [2]member{r.A, r.B}, UpdatedAt: r.UpdatedAt, Answered: r.Answered}
	if r.Last != nil {
		t.Last = *r.Last
		t.Last.Text = catalog.Shorten(t.Last.Text, lastLetters)
	}
	if p := r.Post; p != nil {
		t.Post = &AboutPost{ID: p.ID, Title: p.Title, Price: p.Price, Image: imageURL(p.ImageID), SellerID: p.SellerID}
	}
	return t
}

// lastLetters is how much of the last message is shown. SQL reads one character more.
const lastLetters = 100

// Reads no more of the last message than a preview needs, and no hidden post.
var sqlThread = `
select c.id, c.updated_at, c.answered,
       row(` + user.SQLRef("a") + `, a.disabled_at is not null, c.read_a,
           exists (select from blocks where blocker_id = c.user_a and blocked_id = c.user_b)) as a,
       row(` + user.SQLRef("b") + `, b.disabled_at is not null, c.read_b,
           exists (select from blocks where blocker_id = c.user_b and blocked_id = c.user_a)) as b,
       case when m.id is not null then
         row(m.id, m.seq, m.sender_id, left(m.text, 101), m.image_id, m.created_at, null::text, false, m.deal_event_id) end as last,
       case when p.id is not null then row(p.id, p.title, p.price, p.image_id, p.created_by) end as post
  from conversations c
  join users a on a.id = c.user_a
  join users b on b.id = c.user_b
  left join messages m on m.conversation_id = c.id and m.seq = c.last_seq
  left join posts p on p.id = c.post_id and p.hidden_by is null`

var readThread = postgres.QueryAs("chat.get", sqlThread+` where c.id = @id`, threadRow.thread)

func getThread(ctx context.Context, q postgres.Querier, id uuid.UUID) (thread, error) {
	found, err := readThread.One(ctx, q, postgres.Args{"id": id})
	return found, postgres.IfNoRows(err, errNotFound())
}

// Only members take the lock.
const sqlLock = `select from conversations where id = @id and @member::uuid in (user_a, user_b) for update`

// queueLock queues the locking of a member's conversation until the transaction ends, so that no
// other transaction can add messages, and passes the conversation to use, unless there is none.
// Locking is a statement of its own, so that the last message read is current.
func queueLock(tx *postgres.Tx, id, member uuid.UUID, use func(t thread)) {
	args := postgres.Args{"id": id, "member": member}
	locked := false
	postgres.Command("chat.lock", sqlLock).QueueCount(tx, args, func(n int64) error {
		locked = n == 1
		return nil
	})
	readThread.Queue(tx, args, func(t thread) {
		if locked {
			use(t)
		}
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
	found, err := postgres.QueryAs("chat.get_pair", sqlThread+sqlPair, threadRow.thread).One(ctx, q, postgres.Args{"one": one, "other": other})
	return found, postgres.IfNoRows(err, errNotFound())
}

var pairExists = postgres.Query[bool]("chat.pair_exists", `select exists (select from conversations c`+sqlPair+`)`)

// insertConversation creates the conversation of two users unless it exists. It waits for a
// concurrent transaction that creates the same conversation.
var insertConversation = postgres.Command("chat.insert_conversation", `
insert into conversations (id, user_a, user_b, started_by, created_at, updated_at)
values (@id, least(@starter::uuid, @other::uuid), greatest(@starter::uuid, @other::uuid), @starter, @now, @now)
on conflict on constraint conversations_pair do nothing`)

// setPost makes a post what a conversation is about.
var setPost = postgres.Command("chat.set_post", `update conversations set post_id = @post where id = @id`)

var isMember = postgres.Query[bool]("chat.is_member",
	`select exists (select from conversations where id = @id and @user in (user_a, user_b))`)

// Scans both indexes from the newest entry, no further than the page reaches.
var sqlInbox = `
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
	return postgres.QueryAs("chat.list_inbox", sqlInbox, threadRow.thread).Many(ctx, q, postgres.Args{
		"user": userID, "limit": page.Limit, "offset": page.Offset, "upto": page.Offset + page.Limit,
	})
}

var countInbox = postgres.Query[int]("chat.count_inbox", `
select (select count(*) from conversations where user_a = @user and (last_seq > 0 or started_by = @user))
     + (select count(*) from conversations where user_b = @user and (last_seq > 0 or started_by = @user))`)

var hasUnread = postgres.Query[bool]("chat.has_unread", `
select exists (select from conversations where user_a = @user and read_a < last_seq)
    or exists (select from conversations where user_b = @user and read_b < last_seq)`)

// markRead records that all messages of a locked conversation have been read by a member.
var markRead = postgres.Command("chat.mark_read", `
update conversations
   set read_a = case when user_a = @reader then last_seq else read_a end,
       read_b = case when user_b = @reader then last_seq else read_b end
 where id = @id`)

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
	postgres.Command("chat.insert_message", sqlInsertMessage).Queue(tx, postgres.Args{
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
	list, err := postgres.Query[message]("chat.messages_before", sqlMessagesBefore).Many(ctx, q,
		postgres.Args{"conversation": conversation, "before": before, "limit": limit})
	if err != nil {
		return nil, err
	}
	return list, readActs(ctx, q, list)
}

// place is the conversation of a message and its number there.
type place struct {
	ConversationID uuid.UUID
	Seq            int64
}

var findPlace = postgres.Query[place]("chat.find_place", `select conversation_id, seq from messages where id = @id`)

const sqlMessage = sqlSelectMessage + ` where id = @id and conversation_id = @conversation`

// findMessage reads a message of a conversation.
func findMessage(ctx context.Context, q postgres.Querier, conversation, id uuid.UUID) (m message, found bool, err error) {
	list, err := postgres.Query[message]("chat.find_message", sqlMessage).Many(ctx, q, postgres.Args{"id": id, "conversation": conversation})
	if err != nil || len(list) == 0 {
		return message{}, false, err
	}
	err = readActs(ctx, q, list)
	return list[0], err == nil, err
}

// person is a sender or receiver of messages.
type person struct {
	ID       uuid.UUID
	Username string
	Language string
	IsStaff  bool
	Closed   bool
}

func getPerson(ctx context.Context, q postgres.Querier, id uuid.UUID) (person, error) {
	found, err := postgres.Query[person]("chat.get_person",
		`select id, username, language, is_admin as is_staff, closed_at is not null as closed from users where id = @id`).One(ctx, q,
		postgres.Args{"id": id})
	return found, postgres.IfNoRows(err, errUserNotFound())
}

// dealPrice reads the price of a deal between two users.
var dealPrice = postgres.Query[money.Cents]("chat.deal_price", `
select price from deals
 where id = @deal and removed_at is null and least(buyer_id, seller_id) = least(@one::uuid, @other::uuid)
   and greatest(buyer_id, seller_id) = greatest(@one::uuid, @other::uuid)`)

// postTitle reads the title of a post by the author.
var postTitle = postgres.Query[string]("chat.post_title",
	`select title from posts where id = @post and created_by = @author and hidden_by is null`)

type partnerRow struct {
	UserID    uuid.UUID
	PartnerID uuid.UUID
}

// sqlNotBlocked is the condition for conversations c of which neither member has blocked the other.
const sqlNotBlocked = `not exists (
         select from blocks
          where (blocker_id, blocked_id) in ((c.user_a, c.user_b), (c.user_b, c.user_a)))`

// listPartners reads the partners of each user, up to the limit per user: those who have exchanged
// messages with the user in both directions.
//
// Scans both indexes from the newest entry, no further than the limit reaches.
var listPartners = postgres.Query[partnerRow]("chat.list_partners", `
select u.user_id, p.partner_id
  from unnest(@users::uuid[]) as u (user_id)
 cross join lateral (
   select partner_id from (
     (select user_b as partner_id, updated_at from conversations c where user_a = u.user_id and answered and `+sqlNotBlocked+`
       order by updated_at desc, id desc limit @limit)
     union all
     (select user_a, updated_at from conversations c where user_b = u.user_id and answered and `+sqlNotBlocked+`
       order by updated_at desc, id desc limit @limit)
   ) both_sides
   order by updated_at desc
   limit @limit
 ) p`)

// partner is the other member of a conversation.
type partner struct {
	ID      uuid.UUID
	Blocked bool // one of the two has blocked the other
}

// findPartner reads the other member of one of the user's conversations.
var findPartner = postgres.Query[partner]("chat.find_partner", `
select case @user::uuid when c.user_a then c.user_b else c.user_a end as id, not (`+sqlNotBlocked+`) as blocked
  from conversations c where c.id = @id and @user in (c.user_a, c.user_b)`)

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
	return postgres.Query[unread]("chat.list_unread", sqlUnread).Many(ctx, q, postgres.Args{
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
	return postgres.Command("chat.set_told", sqlSetTold).Any(ctx, tx, postgres.Args{"conversation": u.ConversationID, "reader": u.ReaderID})
}

// mayMeet reports whether two users who have no conversation could write to each other.
var mayMeet = postgres.Query[bool]("chat.may_meet", `
select not exists (select from users where id in (@one, @other) and disabled_at is not null)
   and not exists (select from blocks where blocker_id = @one and blocked_id = @other or blocker_id = @other and blocked_id = @one)`)

// readActs adds to messages what they tell of deals.
func readActs(ctx context.Context, q postgres.Querier, list []message) error {
	var events []uuid.UUID
	for _, m := range list {
		if m.DealEventID != nil {
			events = append(events, *m.DealEventID)
		}
	}
	if len(events) == 0 {
		return nil
	}
	acts, err := findActs(ctx, q, events)
	if err != nil {
		return err
	}
	for i, m := range list {
		if m.DealEventID != nil {
			list[i].Deal = acts[*m.DealEventID]
		}
	}
	return nil
}

type actRow struct {
	EventID     uuid.UUID
	DealID      uuid.UUID
	Description string // its beginning
	Kind        catalog.Kind
}

const sqlActs = `
select e.id as event_id, d.id as deal_id, left(d.description, 300) as description, e.kind
  from deal_events e join deals d on d.id = e.deal_id
 where e.id = any (@events)`

type actPictureRow struct {
	EventID uuid.UUID
	ID      uuid.UUID
	Width   int
	Height  int
}

const sqlActPictures = `
select p.event_id, i.id, i.width, i.height
  from deal_pictures p join images i on i.id = p.image_id
 where p.event_id = any (@events) and i.released_at is null
 order by p.event_id, p.place`

func actOf(line catalog.Kind) Act {
	switch line {
	case catalog.LineReset:
		return ActChanges
	case catalog.LineCounteroffer:
		return ActCounteroffer
	default:
		return ActDelivered
	}
}

// findActs returns what events in the timelines of deals tell, by the event.
func findActs(ctx context.Context, q postgres.Querier, events []uuid.UUID) (map[uuid.UUID]*ActOnDeal, error) {
	args := postgres.Args{"events": events}
	rows, err := postgres.Query[actRow]("chat.find_acts", sqlActs).Many(ctx, q, args)
	if err != nil {
		return nil, err
	}
	acts := make(map[uuid.UUID]*ActOnDeal, len(rows))
	for _, r := range rows {
		acts[r.EventID] = &ActOnDeal{
			ID: r.DealID, Title: catalog.DealTitle(r.Description), Act: actOf(r.Kind), Pictures: []images.Attachment{},
		}
	}
	pictures, err := postgres.Query[actPictureRow]("chat.find_act_pictures", sqlActPictures).Many(ctx, q, args)
	if err != nil {
		return nil, err
	}
	for _, p := range pictures {
		acts[p.EventID].Pictures = append(acts[p.EventID].Pictures, images.NewAttachment(p.ID, p.Width, p.Height))
	}
	return acts, nil
}

// strength is how a row is locked.
type strength string

const (
	forReading  strength = "share"
	forChanging strength = "no key update"
)

// lockPeople locks users in the order of their ids until the transaction ends.
func lockPeople(ctx context.Context, tx *postgres.Tx, how strength, people ...uuid.UUID) error {
	return postgres.Command("chat.lock_people", `select from users where id = any(@people) order by id for `+string(how)).Run(ctx, tx,
		postgres.Args{"people": people})
}

// lockPair locks the conversation of two users, if they have one, until the transaction ends.
var lockPair = postgres.Command("chat.lock_pair", `select from conversations c`+sqlPair+` for update`)

var insertBlock = postgres.Command("chat.insert_block", `
insert into blocks (blocker_id, blocked_id, created_at) values (@blocker, @blocked, @now) on conflict do nothing`)

var deleteBlock = postgres.Command("chat.delete_block", `delete from blocks where blocker_id = @blocker and blocked_id = @blocked`)

// blocking says whether one of two users has blocked the other, and the reverse.
type blocking struct{ Mine, Theirs bool }

var findBlocks = postgres.Query[blocking]("chat.find_blocks", `
select exists (select from blocks where blocker_id = @one and blocked_id = @other) as mine,
       exists (select from blocks where blocker_id = @other and blocked_id = @one) as theirs`)

var sqlListBlocked = `
select ` + user.SQLRef("u") + ` as user, b.created_at as blocked_at
  from blocks b join users u on u.id = b.blocked_id
 where b.blocker_id = @blocker
 order by b.created_at desc, b.blocked_id desc limit @limit offset @offset`

func listBlocked(ctx context.Context, q postgres.Querier, blocker uuid.UUID, page postgres.Page) ([]Blocked, int, error) {
	args := postgres.Args{"blocker": blocker, "limit": page.Limit, "offset": page.Offset}
	total, err := postgres.Query[int]("chat.count_blocked", `select count(*) from blocks where blocker_id = @blocker`).One(ctx, q, args)
	if err != nil {
		return nil, 0, err
	}
	list, err := postgres.Query[Blocked]("chat.list_blocked", sqlListBlocked).Many(ctx, q, args)
	return list, total, err
}
