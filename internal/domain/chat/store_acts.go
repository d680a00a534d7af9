package chat

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/lib/postgres"
)

const sqlMayMeet = `
select not exists (select from users where id in (@one, @other) and disabled_at is not null)
   and not exists (select from blocks where blocker_id = @one and blocked_id = @other or blocker_id = @other and blocked_id = @one)`

// mayMeet reports whether two users who have no conversation could write to each other.
func mayMeet(ctx context.Context, q postgres.Querier, one, other uuid.UUID) (bool, error) {
	return postgres.Value[bool](ctx, q, "chat.may_meet", sqlMayMeet, pgx.NamedArgs{"one": one, "other": other})
}

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
	args := pgx.NamedArgs{"events": events}
	rows, err := postgres.Many[actRow](ctx, q, "chat.find_acts", sqlActs, args)
	if err != nil {
		return nil, err
	}
	acts := make(map[uuid.UUID]*ActOnDeal, len(rows))
	for _, r := range rows {
		acts[r.EventID] = &ActOnDeal{
			ID: r.DealID, Title: catalog.DealTitle(r.Description), Act: actOf(r.Kind), Pictures: []images.Attachment{},
		}
	}
	pictures, err := postgres.Many[actPictureRow](ctx, q, "chat.find_act_pictures", sqlActPictures, args)
	if err != nil {
		return nil, err
	}
	for _, p := range pictures {
		acts[p.EventID].Pictures = append(acts[p.EventID].Pictures, images.NewAttachment(p.ID, p.Width, p.Height))
	}
	return acts, nil
}
