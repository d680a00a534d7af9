package personal

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
)

// erasure is a statement that erases up to @limit rows of the user @user. It has the parameters
// @former, the former username, which is null once it has been deleted, and @pseudonym and @now. A
// row that it has changed does not match again, so it can be repeated.
type erasure struct {
	name  string // of the statement
	sql   string
	table string
}

// erasures lists what is erased of a closed account besides messages and archives, in this order. A
// new table with texts of users needs an entry here.
var erasures = []erasure{
	{"personal.erase_codes", `
		update users set referral_code = username, unsubscribe_token = gen_random_uuid(), second_factor_reset_at = null
		 where id in (select id from users where id = @user and referral_code <> username limit @limit)`, "users"},
	{
		"personal.erase_saved_posts", `
		delete from saved_posts
		 where (user_id, post_id) in (select user_id, post_id from saved_posts
		                               where user_id = @user or post_id in (select id from posts where created_by = @user) limit @limit)`,
		"saved_posts",
	},
	{"personal.erase_searches", `
		delete from saved_searches where id in (select id from saved_searches where user_id = @user limit @limit)`, "saved_searches"},
	{"personal.erase_found", `
		delete from found_posts where user_id = @user
		   and post_id in (select post_id from found_posts where user_id = @user limit @limit)`, "found_posts"},
	{"personal.erase_posts", `
		delete from posts where id in (select id from posts where created_by = @user limit @limit)`, "posts"},
	{"personal.erase_reviews", `
		update reviews set comment = ''
		 where id in (select r.id from deals d join reviews r on r.deal_id = d.id
		               where d.buyer_id = @user and r.reviewer_id = @user and r.comment <> '' limit @limit)`, "reviews"},
	{"personal.erase_descriptions", `
		update deals set description = '', description_erased = true
		 where id in (select id from deals
		               where (buyer_id = @user or seller_id = @user) and coalesce(described_by, created_by) = @user
		                 and not description_erased limit @limit)`, "deals"},
	{"personal.erase_counteroffers", `
		update deal_counteroffers set description = ''
		 where id in (select id from deal_counteroffers where made_by = @user and description <> '' limit @limit)`, "deal_counteroffers"},
	{"personal.erase_invites", `
		delete from deal_invites where id in (select id from deal_invites where maker_id = @user limit @limit)`, "deal_invites"},
	{"personal.erase_deal_events", `
		update deal_events set params = params || jsonb_build_object('username', @pseudonym::text)
		 where id in (select e.id from deals d join deal_events e on e.deal_id = d.id
		               where (d.buyer_id = @user or d.seller_id = @user) and e.params ->> 'username' = @former::text
		               limit @limit)`, "deal_events"},
	{"personal.erase_words", `
		update deal_events set params = params - 'note'
		 where id in (select e.id from deals d join deal_events e on e.deal_id = d.id
		               where (d.buyer_id = @user or d.seller_id = @user) and e.actor_id = @user and e.params ? 'note'
		               limit @limit)`, "deal_events"},
	{"personal.erase_shipments", `
		update deals set courier = '', tracking_number = ''
		 where id in (select id from deals where (buyer_id = @user or seller_id = @user) and courier <> '' limit @limit)`, "deals"},
	{"personal.erase_shipped", `
		update deal_events set params = params || '{"shipment": ""}'
		 where id in (select e.id from deals d join deal_events e on e.deal_id = d.id
		               where (d.buyer_id = @user or d.seller_id = @user) and e.params ->> 'shipment' <> ''
		               limit @limit)`, "deal_events"},
	{"personal.erase_support_requests", `
		update support_requests set issue_description = ''
		 where id in (select id from support_requests where user_id = @user and issue_description <> '' limit @limit)`, "support_requests"},
	{
		"personal.erase_disputes", `
		update dispute_entries set text = '', links = '{}'
		 where id in (select id from dispute_entries where author_id = @user and (text <> '' or links <> '{}') limit @limit)`,
		"dispute_entries",
	},
	{"personal.erase_bug_reports", `
		delete from bug_reports where id in (select id from bug_reports where user_id = @user limit @limit)`, "bug_reports"},
	{"personal.erase_contact_messages", `
		delete from contact_messages where id in (select id from contact_messages where user_id = @user limit @limit)`, "contact_messages"},
	{"personal.erase_phone_numbers", `
		update withdrawals set phone_number = ''
		 where id in (select id from withdrawals where user_id = @user and phone_number <> '' limit @limit)`, "withdrawals"},
	// The reason explains a line of the books, and stays.
	{"personal.erase_correction_notes", `
		update corrections set note = ''
		 where id in (select id from corrections where user_id = @user and note <> '' limit @limit)`, "corrections"},
	{"personal.erase_orders", `
		update operations set params = params - 'phoneNumber'
		 where id in (select id from operations
		               where actor_id = @user and kind = 'withdrawal_hold' and params ? 'phoneNumber' and status <> 'pending'
		               limit @limit)`, "operations"},
	// A refusal of the other party may name the user, as one whose account was suspended.
	{"personal.erase_refusals", `
		update operations set error_params = error_params || jsonb_build_object('name', @pseudonym::text),
		       error_message = replace(error_message, @former::text, @pseudonym::text)
		 where id in (select o.id from deals d join operations o on o.subject = 'deal:' || d.id
		               where (d.buyer_id = @user or d.seller_id = @user) and o.error_params ->> 'name' = @former::text
		               limit @limit)`, "operations"},
	{"personal.erase_notifications", `
		delete from notifications where id in (select id from notifications where user_id = @user limit @limit)`, "notifications"},
	{"personal.erase_about", `
		update notifications set params = params - array['subject', 'phone'] || jsonb_build_object('username', @pseudonym::text)
		 where id in (select id from notifications
		               where about_user_id = @user and (params ?| array['subject', 'phone'] or params ->> 'username' <> @pseudonym::text)
		               limit @limit)`, "notifications"},
	{"personal.erase_names", `
		update notifications set params = params || jsonb_build_object('username', @pseudonym::text)
		 where id in (select n.id
		                from (select seller_id as id from deals where buyer_id = @user
		                      union select buyer_id from deals where seller_id = @user
		                      union select referred_by from users where id = @user and referred_by is not null) other
		                join notifications n on n.user_id = other.id
		               where n.params ->> 'username' = @former::text limit @limit)`, "notifications"},
	{"personal.erase_titles", `
		update notifications set params = params - 'title'
		 where id in (select n.id from deals d join notifications n on n.user_id in (d.buyer_id, d.seller_id)
		               where (d.buyer_id = @user or d.seller_id = @user) and d.created_by = @user
		                 and (n.link = '/deal/' || d.id or n.link in (select '/disputes/' || x.id from disputes x where x.deal_id = d.id))
		                 and n.params ? 'title' limit @limit)`, "notifications"},
	// What the user has said is in the notifications of the other party.
	{"personal.erase_notes", `
		update notifications set params = params - array['note', 'shipment']
		 where id in (select n.id from deals d join notifications n on n.user_id in (d.buyer_id, d.seller_id)
		               where (d.seller_id = @user and n.user_id = d.buyer_id and n.kind in ('deal_delivered', 'deal_shipped')
		                   or d.buyer_id = @user and n.user_id = d.seller_id and n.kind = 'deal_reset')
		                 and n.link = '/deal/' || d.id and n.params ?| array['note', 'shipment'] limit @limit)`, "notifications"},
	// What was reported of the user is named in the notifications of those who reported it.
	{
		"personal.erase_reported", `
		update notifications set params = params || jsonb_build_object('name', @pseudonym::text)
		 where id in (select n.id
		                from moderation_cases c join moderation_reports r on r.case_id = c.id join notifications n on n.user_id = r.reporter_id
		               where c.accused_id = @user and n.kind in ('report_action_taken', 'report_no_violation')
		                 and n.params ->> 'name' in (c.title, c.username, @former::text)
		                 and n.params ->> 'name' <> @pseudonym::text limit @limit)`,
		"notifications",
	},
	{
		"personal.erase_cases", `
		update moderation_cases
		   set username = @pseudonym::text, title = '', text = '', price = null, facts = '{}', image_id = null,
		       appeal = case when appeal is not null then '' end
		 where id in (select id from moderation_cases where accused_id = @user
		                 and (username <> @pseudonym::text or title <> '' or text <> '' or price is not null or facts <> '{}'
		                   or image_id is not null or appeal <> '')
		               limit @limit)`,
		"moderation_cases",
	},
	{
		"personal.erase_case_pictures", `
		delete from case_pictures
		 where (case_id, place) in (select p.case_id, p.place from moderation_cases c join case_pictures p on p.case_id = c.id
		                             where c.accused_id = @user limit @limit)`,
		"case_pictures",
	},
	{"personal.erase_reports", `
		update moderation_reports set text = ''
		 where id in (select id from moderation_reports where reporter_id = @user and text <> '' limit @limit)`, "moderation_reports"},
	{"personal.erase_blocks", `
		delete from blocks
		 where (blocker_id, blocked_id) in (select blocker_id, blocked_id from blocks
		                                     where blocker_id = @user or blocked_id = @user limit @limit)`, "blocks"},
	{"personal.erase_payments", `
		update payments set text = '', party = '', reference = ''
		 where id in (select p.id
		                from (select payment_id from deposits where user_id = @user and status = 'completed'
		                      union all
		                      select payment_id from withdrawals where user_id = @user) s
		                join payments p on p.id = s.payment_id
		               where p.text <> '' limit @limit)`, "payments"},
	{"personal.erase_payment_code", `
		delete from payment_codes where code in (select code from payment_codes where user_id = @user limit @limit)`, "payment_codes"},
	{"personal.erase_checkouts", `
		update checkouts set payer = left(payer, 0), url = left(url, 0)
		 where id in (select id from checkouts where user_id = @user and (payer <> '' or url <> '') limit @limit)`, "checkouts"},
	{"personal.erase_payout_numbers", `
		delete from payout_numbers where id in (select id from payout_numbers where user_id = @user limit @limit)`, "payout_numbers"},
	{
		"personal.erase_consents", `
		update consents set address = ''
		 where (user_id, version) in (select user_id, version from consents where user_id = @user and address <> '' limit @limit)`,
		"consents",
	},
	{"personal.erase_sessions", `
		delete from sessions where id in (select id from sessions where user_id = @user limit @limit)`, "sessions"},
	{"personal.erase_devices", `
		delete from push_subscriptions
		 where id in (select id from push_subscriptions where user_id = @user limit @limit)`, "push_subscriptions"},
	{"personal.erase_browsers", `
		delete from known_browsers
		 where user_id = @user and token_hash in (select token_hash from known_browsers where user_id = @user limit @limit)`, "known_browsers"},
	{"personal.erase_events", `
		delete from account_events where id in (select id from account_events where user_id = @user limit @limit)`, "account_events"},
	{
		"personal.erase_tokens", `
		delete from mailed_tokens where token_hash in (select token_hash from mailed_tokens where user_id = @user limit @limit)`,
		"mailed_tokens",
	},
	{"personal.erase_changes", `
		delete from email_changes where id in (select id from email_changes where user_id = @user limit @limit)`, "email_changes"},
	{
		"personal.erase_log", `
		delete from user_events where user_id = @user and seq in (select seq from user_events where user_id = @user limit @limit)`,
		"user_events",
	},
	{
		"personal.erase_keys", `
		delete from idempotency_keys where user_id = @user and key in (select key from idempotency_keys where user_id = @user limit @limit)`,
		"idempotency_keys",
	},
	{"personal.release_pictures", `
		update images set released_at = @now
		 where id in (select id from images where owner_id = @user and released_at is null limit @limit)`, "images"},
}

// eraseBatch bounds the rows of each statement, and so how long it holds its locks.
const eraseBatch = 1_000

func erase(ctx context.Context, q postgres.Querier, e erasure, of closed, now time.Time) error {
	name := e.name
	_, err := postgres.Command(name, e.sql).InBatches(ctx, q,
		postgres.Args{"user": of.ID, "former": of.Former, "pseudonym": of.Pseudonym, "now": now}, eraseBatch)
	return err
}

// closed is a closed account.
type closed struct {
	ID        uuid.UUID
	Pseudonym string
	Former    *string // username, nil once it has been deleted
	Closable  bool    // none of what keeps an account open, see accounts.Obligations
}

var findClosed = postgres.Query[closed]("personal.find_closed", `
		select u.id, u.username as pseudonym, c.username as former,
		       not u.is_admin and ledger.balance('wallet', u.id, 'USD') = 0
		       and not exists (select from deals where (buyer_id = u.id or seller_id = u.id) and removed_at is null and deal_is_open(status))
		       and not exists (select from withdrawals where user_id = u.id and status = 'pending') as closable
		  from users u left join closed_accounts c on c.user_id = u.id
		 where u.id = @user and u.closed_at is not null`)

var setErased = postgres.Command("personal.set_erased", `update users set erased_at = @now where id = @user`)

var listConversations = postgres.Query[uuid.UUID]("personal.list_conversations", `
select id from conversations where user_a = @user union all select id from conversations where user_b = @user order by id`)

// The statement after the lock sees the messages that were sent before it was taken.
const (
	sqlLockConversation = `select from conversations where id = @conversation for update`
	sqlEraseMessages    = `
update messages set text = '', image_id = null, deal_event_id = null, client_key = null, erased = true
 where conversation_id = @conversation and seq in (
   select seq from messages where conversation_id = @conversation and sender_id = @user and not erased order by seq limit @limit)`
)

// eraseMessages erases messages that the user has sent in a conversation and returns how many.
func eraseMessages(ctx context.Context, tx *postgres.Tx, conversation, userID uuid.UUID) (int64, error) {
	args := postgres.Args{"conversation": conversation, "user": userID, "limit": eraseBatch}
	if err := postgres.Command("personal.lock_conversation", sqlLockConversation).Run(ctx, tx, args); err != nil {
		return 0, err
	}
	return postgres.Command("personal.erase_messages", sqlEraseMessages).Count(ctx, tx, args)
}

var listExports = postgres.Query[uuid.UUID]("personal.list_exports", `select id from data_exports where user_id = @user`)
