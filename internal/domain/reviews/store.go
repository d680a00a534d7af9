package reviews

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

const sqlDeal = `
select d.buyer_id, d.seller_id, s.username as seller_username, d.status = 'Completed' as completed,
       coalesce(2 * d.refunded_amount, 0) > d.price as mostly_refunded, d.accepted_at is not null as agreed,
       deal_counts(d.status, d.price, d.refunded_amount, d.accepted_at) as counts
  from deals d join users s on s.id = d.seller_id
 where d.id = @deal and d.removed_at is null`

func getDeal(ctx context.Context, q postgres.Querier, id uuid.UUID) (deal, error) {
	found, err := postgres.Query[deal]("reviews.get_deal", sqlDeal).One(ctx, q, postgres.Args{"deal": id})
	return found, postgres.IfNoRows(err, errNoDeal())
}

// Reviews of the same pair wait for each other, so that one of them counts.
const sqlLockPair = `select pg_advisory_xact_lock(hashtextextended('reviews:' || @reviewer::uuid || @reviewed::uuid, 0))`

const sqlInsert = `
insert into reviews (id, deal_id, reviewer_id, reviewed_id, rating, comment, created_at, counts)
values (@id, @deal, @reviewer, @reviewed, @rating, @comment, @now,
        @counts and not exists (select from reviews
                                 where reviewed_id = @reviewed and reviewer_id = @reviewer and counts and created_at > @since))`

// insertReview inserts a review. It counts if its deal does and no other review of the pair has
// counted for a time.
func insertReview(ctx context.Context, tx *postgres.Tx, r Review, counts bool) error {
	args := postgres.Args{
		"id": r.ID, "deal": r.DealID, "reviewer": r.Reviewer.ID, "reviewed": r.Reviewed, "rating": r.Rating, "comment": r.Comment,
		"now": r.CreatedAt, "counts": counts, "since": r.CreatedAt.Add(-countsOncePer),
	}
	if err := postgres.Command("reviews.lock_pair", sqlLockPair).Run(ctx, tx, args); err != nil {
		return err
	}
	err := postgres.Command("reviews.insert", sqlInsert).Run(ctx, tx, args)
	if postgres.UniqueViolation(err, "reviews_deal_key") {
		return fault.New(fault.Duplicate, "already_reviewed", "You already reviewed this seller.")
	}
	return err
}

var hideReview = postgres.Command("reviews.hide", `update reviews set hidden_by = @decision where id = @id and hidden_by is null`)

var unhideReview = postgres.Command("reviews.unhide", `update reviews set hidden_by = null where hidden_by = @decision`)

var sqlColumns = `
select r.id, r.deal_id, ` + user.SQLRef("u") + ` as reviewer, r.reviewed_id as reviewed, r.rating, r.created_at`

const sqlFrom = `
  from reviews r join users u on u.id = r.reviewer_id`

var getReview = postgres.Query[Review]("reviews.get", sqlColumns+`, r.comment`+sqlFrom+` where r.id = @id`)

const sqlReceived = `
 where r.reviewed_id = @user and r.hidden_by is null
   and (@from::timestamptz is null or r.created_at >= @from) and (@to::timestamptz is null or r.created_at < @to)`

var (
	sqlCount = `select count(*) from reviews r` + sqlReceived
	sqlList  = sqlColumns + `, left(r.comment, @letters) as comment` + sqlFrom + sqlReceived + `
 order by r.created_at desc, r.id desc limit @limit offset @offset`
)

func listReviews(ctx context.Context, q postgres.Querier, query Query) ([]Review, int, error) {
	args := postgres.Args{
		"user": query.Reviewed, "from": query.From, "to": query.To, "limit": query.Limit, "offset": query.Offset,
		"letters": catalog.InList + 1,
	}
	total, err := postgres.Query[int]("reviews.count", sqlCount).One(ctx, q, args)
	if err != nil {
		return nil, 0, err
	}
	list, err := postgres.QueryAs("reviews.list", sqlList, func(r Review) Review {
		r.Comment = catalog.Shorten(r.Comment, catalog.InList)
		return r
	}).Many(ctx, q, args)
	return list, total, err
}
