package personal

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
)

// source is a file of an archive: rows of one table or of several that belong together, each as a
// JSON object. The statement has the parameter @user. It reads what the user has made and nothing
// that others wrote.
type source struct {
	file   string
	name   string // of the statement
	sql    string
	tables []string // whose contents it has
}

// sources lists the files of an archive. A new table with data of users needs an entry here.
var sources = []source{
	{"profile.json", "personal.export_profile", `
		select username, email, is_verified as email_verified, language, mail_notices as email_notices, mail_off as email_notices_off,
		       push_off as notifications_off, push_details as notifications_with_details,
		       to_char(make_interval(mins => quiet_from), 'HH24:MI') as quiet_from,
		       to_char(make_interval(mins => quiet_to), 'HH24:MI') as quiet_to,
		       away_until, referral_code, (select c.code from payment_codes c where c.user_id = users.id) as payment_reference,
		       referred_by is not null as was_referred, terms_accepted_at, created_at as member_since,
		       second_factor_since as two_step_login_since, password_reset_at, email_changed_at,
		       case when profile_pic <> '' then regexp_replace(profile_pic, '^.*/', '') end as picture
		  from users where id = @user`, []string{"users", "payment_codes"}},
	{
		"consents.json", "personal.export_consents", `
		select version, accepted_at, address as ip_address from consents where user_id = @user order by accepted_at, version`,
		[]string{"consents"},
	},
	{"sessions.json", "personal.export_sessions", `
		select user_agent as browser, address as ip_address, created_at, last_seen_at, expires_at
		  from sessions where user_id = @user order by created_at`, []string{"sessions"}},
	{
		"known_browsers.json", "personal.export_browsers", `
		select created_at as first_login_at, last_login_at from known_browsers where user_id = @user order by created_at`,
		[]string{"known_browsers"},
	},
	{
		"push_browsers.json", "personal.export_devices", `
		select user_agent as browser, created_at, last_used_at from push_subscriptions where user_id = @user order by created_at`,
		[]string{"push_subscriptions"},
	},
	{"passkeys.json", "personal.export_passkeys", `
		select name, created_at, last_used_at from passkeys where user_id = @user order by created_at`, []string{"passkeys"}},
	{
		"security_events.json", "personal.export_events", `
		select kind, at, address as ip_address, user_agent as browser from account_events where user_id = @user order by at, id`,
		[]string{"account_events"},
	},
	{
		"email_changes.json", "personal.export_changes", `
		select old_email, new_email, requested_at, applied_at, ended_at from email_changes where user_id = @user order by requested_at`,
		[]string{"email_changes"},
	},
	{"posts.json", "personal.export_posts", `
		select title, description, ` + sqlDollars + `(price) as price, category, subcategory, tags, facts,
		       array_remove(array[image_id], null)
		         || array(select f.image_id from post_pictures f where f.post_id = posts.id order by f.place) as pictures,
		       created_at, updated_at
		  from posts where created_by = @user order by created_at, id`, []string{"posts", "post_pictures"}},
	{"saved_posts.json", "personal.export_saved_posts", `
		select post_id as post, ` + sqlDollars + `(price) as price, created_at
		  from saved_posts where user_id = @user order by created_at, post_id`, []string{"saved_posts"}},
	{"saved_searches.json", "personal.export_searches", `
		select search, category, subcategory, ` + sqlDollars + `(nullif(min_price, 0)) as price_from,
		       ` + sqlDollars + `(nullif(max_price, 0)) as price_to, facts, frequency, created_at
		  from saved_searches where user_id = @user order by created_at, id`, []string{"saved_searches"}},
	{"deals.json", "personal.export_deals", sqlExportDeals, []string{"deals"}},
	{
		"deal_links.json", "personal.export_invites", `
		select i.description, ` + sqlDollars + `(i.price) as price, case when i.maker_buys then 'buyer' else 'seller' end as role,
		       i.delivery_days, i.inspection_days, i.email, i.phone, i.created_at, i.expires_at, i.revoked_at, i.deal_id as deal
		  from deal_invites i where i.maker_id = @user order by i.created_at, i.id`,
		[]string{"deal_invites"},
	},
	{
		"public_proofs.json", "personal.export_proofs", `
		select deal_id as deal, shown, changed_at from deal_proofs where changed_by = @user order by changed_at, deal_id`,
		[]string{"deal_proofs"},
	},
	{"deal_actions.json", "personal.export_actions", `
		select e.deal_id as deal, e.kind as action, e.params ->> 'note' as text,
		       array(select p.image_id from deal_pictures p where p.event_id = e.id order by p.place) as pictures, e.at
		  from deals d join deal_events e on e.deal_id = d.id
		 where (d.buyer_id = @user or d.seller_id = @user) and e.actor_id = @user
		 order by e.at, e.id`, []string{"deal_events", "deal_pictures"}},
	{"counteroffers.json", "personal.export_counteroffers", `
		select deal_id as deal, ` + sqlDollars + `(price) as price, description, delivery_days, inspection_days, status, created_at
		  from deal_counteroffers where made_by = @user order by created_at, id`, []string{"deal_counteroffers"}},
	{"support_requests.json", "personal.export_support", `
		select deal_id as deal, issue_description as text, created_at, closed_at
		  from support_requests where user_id = @user order by created_at, id`, []string{"support_requests"}},
	{"disputes.json", "personal.export_disputes", `
		select x.deal_id as deal, x.opened_by = @user as opened_by_you, e.kind as action, e.text, e.links,
		       array(select p.image_id from deal_pictures p where p.entry_id = e.id order by p.place) as pictures,
		       ` + sqlDollars + `(o.buyer_gets) as offered_to_buyer, e.at
		  from deals d
		  join disputes x on x.deal_id = d.id
		  join dispute_entries e on e.dispute_id = x.id and e.author_id = @user
		  left join dispute_offers o on o.id = e.offer_id
		 where d.buyer_id = @user or d.seller_id = @user
		 order by e.at, e.id`, []string{"disputes", "dispute_entries", "dispute_offers"}},
	{"messages.json", "personal.export_messages", `
		select u.username as "to", m.created_at as at, m.text, m.image_id as picture
		  from conversations c
		  join messages m on m.conversation_id = c.id and m.sender_id = @user
		  join users u on u.id = case when c.user_a = @user then c.user_b else c.user_a end
		 where c.user_a = @user or c.user_b = @user
		 order by m.conversation_id, m.seq`, []string{"conversations", "messages"}},
	{"reviews.json", "personal.export_reviews", `
		select u.username as seller, r.deal_id as deal, r.rating, r.comment, r.created_at
		  from deals d join reviews r on r.deal_id = d.id join users u on u.id = r.reviewed_id
		 where d.buyer_id = @user and r.reviewer_id = @user
		 order by r.created_at, r.id`, []string{"reviews"}},
	{"deposits.json", "personal.export_deposits", `
		select payment_method, transaction_id, ` + sqlDollars + `(claimed_amount) as reported, ` + sqlDollars + `(amount) as amount,
		       ` + sqlDollars + `(converted_amount) as taka, rate, status, reason_code, deal_id as deal,
		       receiver as sent_to, created_at, handled_at, paid_from
		  from deposits d
		  left join lateral (select party as paid_from from payments p where p.id = d.payment_id and d.status = 'completed') p on true
		 where user_id = @user order by created_at, id`, []string{"deposits", "payments"}},
	{"checkouts.json", "personal.export_checkouts", `
		select payment_method, ` + sqlDollars + `(amount) as amount, ` + sqlDollars + `(converted_amount) as taka, rate,
		       deal_id as deal, created_at, state, failure, transaction_id, ` + sqlDollars + `(paid_amount) as paid, payer, paid_at
		  from checkouts where user_id = @user order by created_at, id`, []string{"checkouts"}},
	{"withdrawals.json", "personal.export_withdrawals", `
		select payment_method, phone_number, ` + sqlDollars + `(amount) as amount, ` + sqlDollars + `(converted_amount) as taka, rate,
		       transaction_id, status, requested_at, handled_at, held_until, confirmed_at, cancelled_at
		  from withdrawals where user_id = @user order by requested_at, id`, []string{"withdrawals"}},
	{"corrections.json", "personal.export_corrections", `
		select ` + sqlDollars + `(amount) as amount, reason, decided_at as corrected_at
		  from corrections where user_id = @user and status = 'confirmed' order by decided_at, id`, []string{"corrections"}},
	{
		"payout_numbers.json", "personal.export_payout_numbers", `
		select name, payment_method, phone_number, created_at from payout_numbers where user_id = @user order by created_at, id`,
		[]string{"payout_numbers"},
	},
	{"wallet.json", "personal.export_wallet", `
		select t.kind, ` + sqlDollars + `(e.amount) as amount, ` + sqlDollars + `(e.balance_after) as balance, e.at
		  from ledger.accounts a join ledger.entries e on e.account_id = a.id join ledger.transfers t on t.id = e.transfer_id
		 where a.kind = 'wallet' and a.owner_id = @user
		 order by e.version`, []string{"ledger.accounts", "ledger.entries", "ledger.transfers", "operations"}},
	{"referrals.json", "personal.export_referrals", `
		select (select count(*) from users where referred_by = @user) as people, coalesce(` + sqlDollars + `(sum(r.amount)), 0) as earned
		  from referral_rewards r where r.referrer_id = @user and r.credited_at is not null`, []string{"referral_rewards"}},
	{
		"blocked_users.json", "personal.export_blocks", `
		select u.username, b.created_at as blocked_at
		  from blocks b join users u on u.id = b.blocked_id where b.blocker_id = @user order by b.created_at, u.username`,
		[]string{"blocks"},
	},
	{"reports.json", "personal.export_reports", `
		select c.subject, r.reason, r.text, r.created_at, c.decided_at
		  from moderation_reports r join moderation_cases c on c.id = r.case_id
		 where r.reporter_id = @user order by r.created_at, r.id`, []string{"moderation_reports"}},
	{"decisions.json", "personal.export_decisions", `
		select subject, title, text, action, suspended_until, decided_at, appeal, appealed_at, overturned as appeal_granted, appeal_decided_at
		  from moderation_cases
		 where accused_id = @user and action <> 'dismiss' order by decided_at, id`, []string{"moderation_cases"}},
	{
		"bug_reports.json", "personal.export_bug_reports", `
		select name, email, subject, description, created_at from bug_reports where user_id = @user order by created_at, id`,
		[]string{"bug_reports"},
	},
	{
		"contact_messages.json", "personal.export_contact", `
		select name, email, message, created_at from contact_messages where user_id = @user order by created_at, id`,
		[]string{"contact_messages"},
	},
}

// sqlDollars converts an amount of the smallest unit, in the parentheses that follow.
const sqlDollars = `0.01 * `

const sqlExportDeals = `
select d.id as deal, case when d.buyer_id = @user then 'buyer' else 'seller' end as role, u.username as "with",
       d.created_by = @user as created_by_you,
       case when coalesce(d.described_by, d.created_by) = @user then d.description end as description,
       ` + sqlDollars + `(d.price) as price, ` + sqlDollars + `(d.fee) as fee, d.delivery_days, d.inspection_days, d.status,
       d.created_at, d.accepted_at, d.activated_at as paid_at, d.first_delivered_at, d.courier, d.tracking_number, d.arrived_at,
       d.closed_at, d.removed_at
  from deals d
  join users u on u.id = case when d.buyer_id = @user then d.seller_id else d.buyer_id end
 where d.buyer_id = @user or d.seller_id = @user
 order by d.created_at, d.id`

// eachRow passes the rows of a source to use, as JSON.
func eachRow(ctx context.Context, q postgres.Querier, s source, userID uuid.UUID, use func(row string) error) error {
	name := s.name
	return postgres.Query[string](name, `select row_to_json(r)::text from (`+s.sql+`) r`).Each(ctx, q, postgres.Args{"user": userID}, use)
}

var listPictures = postgres.Query[uuid.UUID]("personal.list_pictures",
	`select id from images where owner_id = @user and released_at is null order by id`)

// useUTC makes the transaction render times in UTC.
var useUTC = postgres.Command("personal.use_utc", `set local timezone to 'UTC'`)

// owner is the user of an export.
type owner struct {
	UserID   uuid.UUID
	Username string
	Language string
}

// exportOwner returns the user of a pending export.
var exportOwner = postgres.Query[owner]("personal.export_owner", `
		select u.id as user_id, u.username, u.language
		  from data_exports e join users u on u.id = e.user_id
		 where e.id = @id and e.status = 'pending' and u.closed_at is null`)

var findOwner = postgres.Query[owner]("personal.find_owner", `select id as user_id, username, language from users where id = @user`)

var insertPart = postgres.Command("personal.insert_part", `
		insert into data_export_parts (export_id, number, data) values (@id, @number, @data)`)

// partsBatch bounds each DELETE of parts, which are large.
const partsBatch = 20

const sqlDeleteParts = `
delete from data_export_parts where export_id = @id and number in
 (select number from data_export_parts where export_id = @id limit @limit)`

func deleteParts(ctx context.Context, q postgres.Querier, id uuid.UUID) error {
	_, err := postgres.Command("personal.delete_parts", sqlDeleteParts).InBatches(ctx, q, postgres.Args{"id": id}, partsBatch)
	return err
}

// finishExport makes a pending export ready, or failed if ready is nil. It returns the zero Export
// if it is no longer pending.
func finishExport(ctx context.Context, tx *postgres.Tx, id uuid.UUID, size int64, ready *time.Time) (e Export, found bool, err error) {
	status, expires := Failed, (*time.Time)(nil)
	if ready != nil {
		until := ready.Add(exportKept)
		status, expires = Ready, &until
	}
	return postgres.Query[Export]("personal.finish_export", `
		update data_exports e set status = @status, size = @size, ready_at = @ready, expires_at = @expires
		 where e.id = @id and e.status = 'pending'
		returning `+exportColumns).Find(ctx, tx,
		postgres.Args{"id": id, "status": string(status), "size": size, "ready": ready, "expires": expires})
}

const sqlExpired = `
select id from data_exports
 where expires_at <= @now or (status <> 'ready' and requested_at <= @before)
 order by requested_at limit @limit`

// listExpired returns exports that can no longer be downloaded, and those that were not made.
func listExpired(ctx context.Context, q postgres.Querier, now time.Time, limit int) ([]uuid.UUID, error) {
	return postgres.Query[uuid.UUID]("personal.list_expired", sqlExpired).Many(ctx, q,
		postgres.Args{"now": now, "before": now.Add(-exportKept), "limit": limit})
}

// listAbandoned returns exports that have been pending for longer than their jobs are attempted.
var listAbandoned = postgres.Query[uuid.UUID]("personal.list_abandoned",
	`select id from data_exports where status = 'pending' and requested_at <= @before order by requested_at limit @limit`)

var exportUser = postgres.Query[uuid.UUID]("personal.export_user", `select user_id from data_exports where id = @id`)

var deleteExport = postgres.Command("personal.delete_export", `delete from data_exports where id = @id`)
