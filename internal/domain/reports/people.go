package reports

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/app/user"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

// Person is a user as admins see them.
type Person struct {
	ID         uuid.UUID
	Username   string
	Email      string
	ProfilePic string
	IsAdmin    bool
	IsVerified bool
	CreatedAt  time.Time
	DisabledAt *time.Time
	Closed     bool
	Wallet     money.Cents // spendable
	InEscrow   money.Cents // price of the user's open deals as buyer
	Deposited  money.Cents // total credited
	Withdrawn  money.Cents // total paid out
	Deals      int         // as buyer or seller, in any state
}

// The sums are computed only for the users of the page, each by an index; see sqlWallet.
const sqlPeople = `
with page as (
  select id, username, email, profile_pic, is_admin, is_verified, created_at, disabled_at, closed_at
    from users %where%
   order by %order% created_at desc, id desc limit @limit offset @offset
)
select page.id, page.username, page.email, page.profile_pic, page.is_admin, page.is_verified, page.created_at, page.disabled_at,
       page.closed_at is not null as closed,
       coalesce((select balance from ledger.accounts where kind = 'wallet' and owner_id = page.id and currency = 'USD'), 0) as wallet,
       coalesce((select sum(price) from deals
                  where buyer_id = page.id and removed_at is null and deal_is_open(status)), 0)::bigint as in_escrow,
       coalesce((select sum(amount) from deposits where user_id = page.id and status = 'completed'), 0)::bigint as deposited,
       coalesce((select sum(amount) from withdrawals where user_id = page.id and status = 'completed'), 0)::bigint as withdrawn,
       (select count(*) from deals where buyer_id = page.id and removed_at is null)
       + (select count(*) from deals where seller_id = page.id and removed_at is null) as deals
  from page
 order by %order% created_at desc, id desc`

const (
	sqlContaining = ` where lower(username) like '%' || @beginning or lower(email) like '%' || @beginning`
	// A plan for any parameters could not use these indexes for LIKE.
	sqlBeginning = ` where lower(username) ~>=~ @from and lower(username) ~<~ @until
                or lower(email) ~>=~ @from and lower(email) ~<~ @until`
	sqlPrefixFirst = ` lower(username) like @beginning desc,` // before other matches
)

// People returns all users to admins, newest first, and the total number.
func (s *Service) People(ctx context.Context, page postgres.Page) ([]Person, int, error) {
	return s.people(ctx, "", "", postgres.Args{}, page)
}

// Person returns one user to admins. Code NotFound.
func (s *Service) Person(ctx context.Context, id uuid.UUID) (Person, error) {
	list, _, err := s.people(ctx, ` where id = @id`, "", postgres.Args{"id": id}, postgres.Page{Limit: 1})
	if err == nil && len(list) == 0 {
		err = fault.New(fault.NotFound, "user_not_found", "User not found")
	}
	if err != nil {
		return Person{}, err
	}
	return list[0], nil
}

// Record is what admins see of one user beyond the row of a list.
type Record struct {
	PendingWithdrawal money.Cents // requested and not yet sent
	OpenDeals         int         // as buyer or seller, like the other counts
	CompletedDeals    int
	CancelledDeals    int // that both parties had agreed to, as in the success score
}

const sqlRecord = `
select coalesce((select sum(amount) from withdrawals where user_id = @id and status = 'pending'), 0)::bigint as pending_withdrawal,
       d.open_deals, d.completed_deals, d.cancelled_deals
  from (select count(*) filter (where deal_is_open(status)) as open_deals,
               count(*) filter (where status = 'Completed') as completed_deals,
               count(*) filter (where status like 'Cancelled%' and accepted_at is not null) as cancelled_deals
          from deals where (buyer_id = @id or seller_id = @id) and removed_at is null) d`

// Record returns what admins see of one user beyond Person, or zeros if there is no such user.
func (s *Service) Record(ctx context.Context, id uuid.UUID) (Record, error) {
	return postgres.Query[Record]("reports.record", sqlRecord).One(ctx, s.DB, postgres.Args{"id": id})
}

const minSearch = 2

// trigramPattern finds the shortest text that the trigram indexes can look up.
var trigramPattern = regexp.MustCompile(`[a-z0-9]{3}`)

// SearchPeople returns to admins the users whose username or email address contains the query,
// ignoring case, those whose username begins with it first. A query without three consecutive
// letters or digits, such as any of two characters, matches only beginnings of usernames and email
// addresses: no index serves anything else, and two letters occur in most addresses. A query of
// fewer than two characters matches no user.
func (s *Service) SearchPeople(ctx context.Context, query string, page postgres.Page) ([]Person, int, error) {
	query = strings.TrimSpace(query)
	if utf8.RuneCountInString(query) < minSearch {
		return []Person{}, 0, nil
	}
	query = strings.ToLower(query)
	args := postgres.Args{"beginning": postgres.LikePrefix(query)}
	if trigramPattern.MatchString(query) {
		return s.people(ctx, sqlContaining, sqlPrefixFirst, args, page)
	}
	args["from"], args["until"] = query, query+string(unicode.MaxRune)
	return s.people(ctx, sqlBeginning, sqlPrefixFirst, args, page)
}

func (s *Service) people(ctx context.Context, where, order string, args postgres.Args, page postgres.Page) ([]Person, int, error) {
	total, err := postgres.Query[int]("reports.count_people", `select count(*) from users`+where).One(ctx, s.DB, args)
	if err != nil {
		return nil, 0, err
	}
	args["limit"], args["offset"] = page.Limit, page.Offset
	sql := strings.NewReplacer("%where%", where, "%order%", order).Replace(sqlPeople)
	list, err := postgres.Query[Person]("reports.list_people", sql).Many(ctx, s.DB, args)
	return list, total, err
}

// AuditEntry is an entry of the audit log. Actor is nil for the operator's command line.
type AuditEntry struct {
	ID      int64
	At      time.Time
	Actor   *user.Ref
	Action  string
	Subject string
	Details json.RawMessage
	People  []user.Ref `db:"-"` // whom it concerns
}

// auditRow has the ids of the people, as they are in the log.
type auditRow struct {
	AuditEntry
	PeopleIDs []string
}

// AuditFilter selects entries. Zero values match all.
type AuditFilter struct {
	ActorID *uuid.UUID
	Action  string
	Subject string // of the log, or the beginning of a username, or the end of an ID
	Period  Period
}

// The ids of the people whom an entry concerns: in its details, or the subject itself.
const sqlConcerns = `array_remove(array[
       l.details->>'user', l.details->>'buyer', l.details->>'seller', l.details->'users'->>0, l.details->'users'->>1,
       case when l.subject like 'user:%' then substr(l.subject, 6) end], null)`

const sqlAuditFilter = sqlInRange + `
   and (@actor::uuid is null or l.actor_id = @actor)
   and (@action = '' or l.action = @action)
   and (@subject = '' or l.subject = @subject
        or @id <> '' and replace(l.subject, '-', '') like '%' || @id
        or @username <> '' and ` + sqlConcerns + ` && array(select p.id::text from users p where lower(p.username) like @username))`

var (
	// uuidEnd is the short id of something as it is shown, or a whole UUID.
	uuidEnd = regexp.MustCompile(`^([0-9a-f]{8}|[0-9a-f]{32})$`)
	number  = regexp.MustCompile(`^[0-9]+$`)
)

// args returns the arguments of sqlAuditFilter.
func (f AuditFilter) args() postgres.Args {
	words := strings.Fields(strings.ToLower(f.Subject))
	args := postgres.Args{
		"actor": f.ActorID, "action": f.Action, "subject": f.Subject, "from": f.Period.From, "to": f.Period.To, "id": "", "username": "",
	}
	if len(words) == 0 || strings.Contains(f.Subject, ":") {
		return args
	}
	last := words[len(words)-1] // of "Deposit ef24-4896"
	switch id := strings.ReplaceAll(last, "-", ""); {
	case uuidEnd.MatchString(id):
		args["id"] = id
	case number.MatchString(id):
		args["id"] = ":" + id // not the end of a UUID
	}
	if len(words) == 1 {
		args["username"] = postgres.LikePrefix(last)
	}
	return args
}

// Audit returns the audit log to admins, newest first, and the number of entries.
func (s *Service) Audit(ctx context.Context, f AuditFilter, page postgres.Page) ([]AuditEntry, int, error) {
	args := f.args()
	args["limit"], args["offset"] = page.Limit, page.Offset
	total, err := postgres.Query[int]("reports.count_audit", `select count(*) from audit_log l`+sqlAuditFilter).One(ctx, s.DB, args)
	if err != nil {
		return nil, 0, err
	}
	rows, err := postgres.Query[auditRow]("reports.list_audit", `
		select l.id, l.at, `+user.SQLRefOrNull("u")+` as actor, l.action, l.subject, l.details, `+sqlConcerns+` as people_ids
		  from audit_log l left join users u on u.id = l.actor_id`+sqlAuditFilter+`
		 order by l.id desc limit @limit offset @offset`).Many(ctx, s.DB, args)
	if err != nil {
		return nil, 0, err
	}
	entries, err := withPeople(ctx, s.DB, rows)
	return entries, total, err
}

var sqlPeopleByID = `select ` + user.SQLRef("u") + ` as person from users u where u.id = any(@ids)`

// withPeople adds whom the entries concern.
func withPeople(ctx context.Context, q postgres.Querier, rows []auditRow) ([]AuditEntry, error) {
	var ids []uuid.UUID
	for _, row := range rows {
		for _, id := range row.PeopleIDs {
			if parsed, err := uuid.Parse(id); err == nil {
				ids = append(ids, parsed)
			}
		}
	}
	type row struct{ Person user.Ref }
	people, err := postgres.Query[row]("reports.people_of_audit", sqlPeopleByID).Many(ctx, q, postgres.Args{"ids": ids})
	if err != nil {
		return nil, err
	}
	byID := make(map[string]user.Ref, len(people))
	for _, p := range people {
		byID[p.Person.ID.String()] = p.Person
	}
	entries := make([]AuditEntry, len(rows))
	for i, row := range rows {
		entries[i] = row.AuditEntry
		for _, id := range row.PeopleIDs {
			if p, found := byID[id]; found && !slices.Contains(entries[i].People, p) {
				entries[i].People = append(entries[i].People, p)
			}
		}
	}
	return entries, nil
}

// Metric is a quantity that admins see totals and charts of.
type Metric string

// The metrics.
const (
	Users       Metric = "users"       // sign-ups
	Deals       Metric = "deals"       // created and not removed; sums their prices
	Deposits    Metric = "deposits"    // credited
	Withdrawals Metric = "withdrawals" // paid out
	Earnings    Metric = "earnings"    // fees less the rewards paid from them
)

// sources are the events that each metric counts: the time and the amount.
var sources = map[Metric]string{
	Users:       `select created_at as at, 0::bigint as amount from users`,
	Deals:       `select created_at as at, price as amount from deals where removed_at is null`,
	Deposits:    `select handled_at as at, amount from deposits where status = 'completed'`,
	Withdrawals: `select handled_at as at, amount from withdrawals where status = 'completed'`,
	// "balance_after is null" matches the partial index on entries of the provider's accounts.
	Earnings: `select e.at, e.amount from ledger.entries e join ledger.accounts a on a.id = e.account_id
	            where a.kind = 'fees' and a.currency = 'USD' and e.balance_after is null`,
}

// Sum is the number of events and their total amount.
type Sum struct {
	Count  int64
	Amount money.Cents
}

const sqlInRange = ` where (@from::timestamptz is null or at >= @from) and (@to::timestamptz is null or at < @to)`

// Total returns the sum of a metric, for admins.
func (s *Service) Total(ctx context.Context, of Metric, in Period) (Sum, error) {
	source, known := sources[of]
	if !known {
		return Sum{}, fmt.Errorf("reports: no metric %q", of)
	}
	return postgres.Query[Sum]("reports.total",
		`select count(*) as count, coalesce(sum(amount), 0)::bigint as amount from (`+source+`) facts`+sqlInRange).One(ctx, s.DB,
		postgres.Args{"from": in.From, "to": in.To})
}

const day = 24 * time.Hour

// Series returns the daily sums of a metric for the given number of days beginning at first, for
// admins. They add up to Total's sum.
func (s *Service) Series(ctx context.Context, of Metric, first time.Time, days int) ([]Sum, error) {
	source, known := sources[of]
	if !known {
		return nil, fmt.Errorf("reports: no metric %q", of)
	}
	type dailySum struct {
		Day    int
		Count  int64
		Amount money.Cents
	}
	rows, err := postgres.Query[dailySum]("reports.series", `
		select floor(extract(epoch from at - @from::timestamptz) / 86400)::int as day, count(*) as count,
		       coalesce(sum(amount), 0)::bigint as amount
		  from (`+source+`) facts`+sqlInRange+` group by 1`).Many(ctx, s.DB,
		postgres.Args{"from": first, "to": first.Add(time.Duration(days) * day)})
	if err != nil {
		return nil, err
	}
	sums := make([]Sum, days)
	for _, r := range rows {
		sums[r.Day] = Sum{Count: r.Count, Amount: r.Amount}
	}
	return sums, nil
}
