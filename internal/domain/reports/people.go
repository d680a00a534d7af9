package reports

import (
	"context"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

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
	return s.people(ctx, "", "", pgx.NamedArgs{}, page)
}

// Person returns one user to admins. Code NotFound.
func (s *Service) Person(ctx context.Context, id uuid.UUID) (Person, error) {
	list, _, err := s.people(ctx, ` where id = @id`, "", pgx.NamedArgs{"id": id}, postgres.Page{Limit: 1})
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
	return postgres.One[Record](ctx, s.DB, "reports.record", sqlRecord, pgx.NamedArgs{"id": id})
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
	args := pgx.NamedArgs{"beginning": postgres.LikePrefix(query)}
	if trigramPattern.MatchString(query) {
		return s.people(ctx, sqlContaining, sqlPrefixFirst, args, page)
	}
	args["from"], args["until"] = query, query+string(unicode.MaxRune)
	return s.people(ctx, sqlBeginning, sqlPrefixFirst, args, page)
}

func (s *Service) people(ctx context.Context, where, order string, args pgx.NamedArgs, page postgres.Page) ([]Person, int, error) {
	total, err := postgres.Value[int](ctx, s.DB, "reports.count_people", `select count(*) from users`+where, args)
	if err != nil {
		return nil, 0, err
	}
	args["limit"], args["offset"] = page.Limit, page.Offset
	sql := strings.NewReplacer("%where%", where, "%order%", order).Replace(sqlPeople)
	list, err := postgres.Many[Person](ctx, s.DB, "reports.list_people", sql, args)
	return list, total, err
}
