package reviews

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/fault"
	"amanat/internal/party"
	"amanat/internal/postgres"
)

const sqlDeal = `
select d.buyer_id, d.seller_id, s.username as seller_username, d.status = 'Completed' as completed
  from deals d join users s on s.id = d.seller_id
 where d.id = @deal and d.removed_at is null`

func getDeal(ctx context.Context, q postgres.Querier, id uuid.UUID) (deal, error) {
	rows, err := q.Query(ctx, sqlDeal, pgx.NamedArgs{"deal": id})
	if err != nil {
		return deal{}, fmt.Errorf("read deal: %w", err)
	}
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[deal])
	if errors.Is(err, pgx.ErrNoRows) {
		return deal{}, errNoDeal()
	}
	return found, err
}

const sqlInsert = `
insert into reviews (id, deal_id, reviewer_id, reviewed_id, rating, comment, created_at)
values (@id, @deal, @reviewer, @reviewed, @rating, @comment, @now)`

func insertReview(ctx context.Context, tx *postgres.Tx, r Review) error {
	_, err := tx.Exec(ctx, sqlInsert, pgx.NamedArgs{
		"id": r.ID, "deal": r.DealID, "reviewer": r.Reviewer.ID, "reviewed": r.Reviewed, "rating": r.Rating, "comment": r.Comment,
		"now": r.CreatedAt,
	})
	switch {
	case postgres.UniqueViolation(err, "reviews_deal_key"):
		return fault.New(fault.Duplicate, "You already reviewed this seller.")
	case err != nil:
		return fmt.Errorf("insert review: %w", err)
	}
	return nil
}

type row struct {
	ID                 uuid.UUID
	DealID             uuid.UUID
	ReviewerID         uuid.UUID
	ReviewerUsername   string
	ReviewerProfilePic string
	ReviewedID         uuid.UUID
	Rating             int
	Comment            string
	CreatedAt          time.Time
}

func (r row) review() Review {
	return Review{
		ID: r.ID, DealID: r.DealID, Reviewed: r.ReviewedID, Rating: r.Rating, Comment: r.Comment, CreatedAt: r.CreatedAt,
		Reviewer: party.Party{ID: r.ReviewerID, Username: r.ReviewerUsername, ProfilePic: r.ReviewerProfilePic},
	}
}

const sqlSelect = `
select r.id, r.deal_id, r.reviewer_id, u.username as reviewer_username, u.profile_pic as reviewer_profile_pic, r.reviewed_id, r.rating,
       r.comment, r.created_at
  from reviews r join users u on u.id = r.reviewer_id`

func getReview(ctx context.Context, q postgres.Querier, id uuid.UUID) (Review, error) {
	rows, err := q.Query(ctx, sqlSelect+` where r.id = @id`, pgx.NamedArgs{"id": id})
	if err != nil {
		return Review{}, fmt.Errorf("read review: %w", err)
	}
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[row])
	return found.review(), err
}

const sqlReceived = `
 where r.reviewed_id = @user
   and (@from::timestamptz is null or r.created_at >= @from) and (@to::timestamptz is null or r.created_at < @to)`

const (
	sqlCount = `select count(*) from reviews r` + sqlReceived
	sqlList  = sqlSelect + sqlReceived + ` order by r.created_at desc, r.id desc limit @limit offset @offset`
)

func listReviews(ctx context.Context, q postgres.Querier, query Query) ([]Review, int, error) {
	args := pgx.NamedArgs{
		"user": query.Reviewed, "from": query.From, "to": query.To, "limit": query.Limit, "offset": query.Offset,
	}
	var total int
	if err := q.QueryRow(ctx, sqlCount, args).Scan(&total); err != nil {
		return nil, 0, fmt.Errorf("count reviews: %w", err)
	}
	rows, err := q.Query(ctx, sqlList, args)
	if err != nil {
		return nil, 0, fmt.Errorf("list reviews: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[row])
	if err != nil {
		return nil, 0, fmt.Errorf("list reviews: %w", err)
	}
	list := make([]Review, len(found))
	for i, r := range found {
		list[i] = r.review()
	}
	return list, total, nil
}
