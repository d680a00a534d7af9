package moderation

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/images"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

// subject is something that can be reported.
type subject struct {
	AuthorID uuid.UUID
	Content  Content
}

type subjectRow struct {
	AuthorID   uuid.UUID
	Username   string
	Title      string
	Text       string
	ImageID    *uuid.UUID
	Pictures   []uuid.UUID
	ProfilePic string // URL of an image
	Price      *money.Cents
	Category   string
	Rating     *int
	Visible    bool // to the reader
}

func (r subjectRow) subject() subject {
	imageID := r.ImageID
	if id, ours := images.ID(r.ProfilePic); ours {
		imageID = &id
	}
	return subject{AuthorID: r.AuthorID, Content: Content{
		Username: r.Username, Title: r.Title, Text: r.Text, ImageID: imageID, Pictures: r.Pictures, Price: r.Price, Category: r.Category,
		Rating: r.Rating,
	}}
}

// sqlSubjects select something by its id, and whether the reader can see it.
var sqlSubjects = map[Subject]string{
	Post: `
select u.id as author_id, u.username, p.title, p.description as text, p.image_id, '{}'::uuid[] as pictures,
       '' as profile_pic, p.price, p.category, null::integer as rating, p.hidden_by is null and u.disabled_at is null as visible
  from posts p join users u on u.id = p.created_by
 where p.id = @id`,
	Message: `
select u.id as author_id, u.username, '' as title, m.text, m.image_id,
       array(select p.image_id from deal_pictures p join images i on i.id = p.image_id
              where p.event_id = m.deal_event_id and i.released_at is null order by p.place) as pictures,
       '' as profile_pic, null::bigint as price, '' as category,
       null::integer as rating, coalesce(@reader in (c.user_a, c.user_b), false) as visible
  from messages m join conversations c on c.id = m.conversation_id join users u on u.id = m.sender_id
 where m.id = @id`,
	Person: `
select u.id as author_id, u.username, '' as title, '' as text, null::uuid as image_id, '{}'::uuid[] as pictures,
       u.profile_pic, null::bigint as price, '' as category, null::integer as rating, u.disabled_at is null as visible
  from users u
 where u.id = @id`,
	Review: `
select u.id as author_id, u.username, '' as title, r.comment as text, null::uuid as image_id, '{}'::uuid[] as pictures, '' as profile_pic,
       null::bigint as price,
       '' as category, r.rating::integer, r.hidden_by is null as visible
  from reviews r join users u on u.id = r.reviewer_id
 where r.id = @id`,
}

func findSubject(
	ctx context.Context, q postgres.Querier, about Subject, id uuid.UUID, reader *uuid.UUID,
) (r subjectRow, found bool, err error) {
	return postgres.Optional(postgres.One[subjectRow](ctx, q, "moderation.find_subject", sqlSubjects[about],
		pgx.NamedArgs{"id": id, "reader": reader}))
}

// findVisible returns what a user reports. Code NotFound if they cannot see it.
func findVisible(ctx context.Context, q postgres.Querier, about Subject, id, reader uuid.UUID) (subject, error) {
	r, found, err := findSubject(ctx, q, about, id, &reader)
	if err == nil && (!found || !r.Visible) {
		err = fault.New(fault.NotFound, "report_not_found", "There is nothing here that you can report.")
	}
	return r.subject(), err
}

// findContent returns what a subject is now, nil if it was deleted.
func findContent(ctx context.Context, q postgres.Querier, about Subject, id uuid.UUID) (*Content, error) {
	r, found, err := findSubject(ctx, q, about, id, nil)
	if err != nil || !found {
		return nil, err
	}
	content := r.subject().Content
	return &content, nil
}
