package notifications

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

// mailRow is a notification with its reader and its deal, if any.
type mailRow struct {
	NotificationID   uuid.UUID
	Email            string
	Language         string
	Verified         bool
	MailNotices      bool
	MailOff          []string
	UnsubscribeToken uuid.UUID
	Kind             catalog.Kind
	Params           catalog.Params
	Link             string
	MailedAt         *time.Time
	DealStatus       string // "" if there is no deal
	DealOpen         bool   // money is in escrow
	InspectionDays   int
	ReleasesAlone    bool // if the buyer does nothing, the money goes to the seller
	Price            money.Cents
	Fee              money.Cents
	Buyer            string
	Seller           string
	Muted            bool // only the panel shows it: strangers have caused enough, or it repeats the offer
}

// A notification refers to its deal only in the link.
const sqlMail = `
select n.id as notification_id, u.email, u.language, u.is_verified as verified, u.mail_notices, u.mail_off, u.unsubscribe_token,
       n.kind, n.params, n.link, n.mailed_at,
       coalesce(d.status, '') as deal_status, coalesce(deal_is_open(d.status), false) as deal_open,
       coalesce(d.inspection_days, 0) as inspection_days,
       coalesce(d.next_action = 'complete' and d.frozen_at is null, false) as releases_alone,
       coalesce(d.price, 0) as price, coalesce(d.fee, 0) as fee,
       coalesce(b.username, '') as buyer, coalesce(s.username, '') as seller,
       coalesce(n.kind = 'deal_expires_soon' and n.created_at < d.created_at + interval '1 hour'
                or from_stranger(n.link, n.user_id) and (` + sqlFromStrangers + `) >= 6, false) as muted`

// What strangers have caused in the 24 hours before a notification, whatever became of its emails.
const sqlFromStrangers = `
  select count(*)
    from (select from notifications e
           where e.user_id = n.user_id and e.created_at > n.created_at - interval '24 hours'
             and (e.created_at, e.id) < (n.created_at, n.id)
             and from_stranger(e.link, e.user_id)
           limit 6) earlier`

const sqlMailFrom = `
  join users u on u.id = n.user_id
  left join deals d on d.id = case when n.link ~ '^/deal/[0-9a-f-]{36}$' then substr(n.link, 7)::uuid end
  left join users b on b.id = d.buyer_id
  left join users s on s.id = d.seller_id`

// dueMail is an email that a sweep has claimed.
type dueMail struct {
	mailRow
	Attempts int // this one included
}

// Takes the emails that have been due the longest and leases them: until the lease ends, no other
// sweep takes them, and if this one dies, they are due again. Several sweeps may run side by side.
//
// The due times are the database's, as those of River's jobs, because the business clock may be
// moved and the clocks of the workers may differ. Commits without waiting for the disk: if the
// server crashes, the emails are due again, and an email may be sent twice anyway.
const sqlClaimDue = `
with async_commit as (
  select set_config('synchronous_commit', 'off', true)
), due as (
  select notification_id from due_mails where due_at <= now() order by due_at limit 100 for update skip locked
), claimed as (
  update due_mails m set due_at = now() + @lease::interval, attempts = m.attempts + 1
    from due, async_commit
   where m.notification_id = due.notification_id
  returning m.notification_id, m.attempts
)` + sqlMail + `, c.attempts
  from claimed c
  join notifications n on n.id = c.notification_id` + sqlMailFrom

// sweepBatch is the limit of sqlClaimDue. It is no parameter, so that the planner knows it.
const sweepBatch = 100

func claimDue(ctx context.Context, q postgres.Querier, lease time.Duration) ([]dueMail, error) {
	return postgres.Many[dueMail](ctx, q, "notifications.claim_due_mails", sqlClaimDue, pgx.NamedArgs{"lease": lease})
}

// Locks the notifications in the order of their ids, since their readers may be marking them as
// read. Commits without waiting for the disk.
const sqlRemoveDue = `
with async_commit as (
  select set_config('synchronous_commit', 'off', true)
), removed as (
  delete from due_mails where notification_id = any(@done)
), sent as (
  select id from notifications where id = any(@sent) order by id for no key update
)
update notifications n set mailed_at = @now from sent, async_commit where n.id = sent.id`

func hasDueMails(ctx context.Context, q postgres.Querier) (bool, error) {
	return postgres.Value[bool](ctx, q, "notifications.has_due_mails", `select exists (select from due_mails where due_at <= now())`, nil)
}

// removeDue removes the emails of done, and marks those of sent, which are among them, as mailed.
func removeDue(ctx context.Context, q postgres.Querier, done, sent []uuid.UUID, now time.Time) error {
	return postgres.Exec(ctx, q, "notifications.remove_due_mails", sqlRemoveDue, pgx.NamedArgs{"done": done, "sent": sent, "now": now})
}

// Leaves out an email whose lease has ended and which another sweep has claimed since.
const sqlPostpone = `
with async_commit as (
  select set_config('synchronous_commit', 'off', true)
)
update due_mails m set due_at = now() + p.pause, attempts = p.attempts, last_error = coalesce(p.error, m.last_error)
  from async_commit, unnest(@ids::uuid[], @claimed::integer[], @attempts::integer[], @pauses::interval[], @errors::text[])
                     as p (id, claimed, attempts, pause, error)
 where m.notification_id = p.id and m.attempts = p.claimed`

// postponed is a claimed email that is due again after a pause.
type postponed struct {
	mail     dueMail
	attempts int
	pause    time.Duration
	err      *string // nil: it was not tried
}

func postpone(ctx context.Context, q postgres.Querier, list []postponed) error {
	n := len(list)
	ids, claimed, attempts := make([]uuid.UUID, n), make([]int, n), make([]int, n)
	pauses, errs := make([]time.Duration, n), make([]*string, n)
	for i, p := range list {
		ids[i], claimed[i], attempts[i], pauses[i], errs[i] = p.mail.NotificationID, p.mail.Attempts, p.attempts, p.pause, p.err
	}
	return postgres.Exec(ctx, q, "notifications.postpone_mails", sqlPostpone, pgx.NamedArgs{
		"ids": ids, "claimed": claimed, "attempts": attempts, "pauses": pauses, "errors": errs,
	})
}
