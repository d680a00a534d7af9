package posts

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// Days returns the days, in UTC, from that of the first post to that of the last, oldest first. Any
// visitor may call it.
func (s *Service) Days(ctx context.Context) ([]time.Time, error) {
	first, last, found, err := firstAndLast(ctx, s.DB)
	if err != nil || !found {
		return nil, err
	}
	var days []time.Time
	for day := dayOf(first); !day.After(dayOf(last)); day = day.AddDate(0, 0, 1) {
		days = append(days, day)
	}
	return days, nil
}

// maxOfDay is how many addresses a sitemap may have.
const maxOfDay = 50_000

// OfDay calls visit with each public post of a day in UTC, at most 50,000. Any visitor may call it.
func (s *Service) OfDay(ctx context.Context, day time.Time, visit func(id uuid.UUID, updated time.Time)) error {
	list, err := listBetween(ctx, s.DB, idAt(day), idAt(day.AddDate(0, 0, 1)), maxOfDay)
	for _, row := range list {
		visit(row.ID, row.UpdatedAt)
	}
	return err
}

// dayOf returns the day in UTC on which an id was made.
func dayOf(id uuid.UUID) time.Time {
	seconds, nanos := id.Time().UnixTime()
	return time.Unix(seconds, nanos).UTC().Truncate(24 * time.Hour)
}

// idAt returns the least id of version 7 that can have been made at a time.
func idAt(at time.Time) uuid.UUID {
	var id uuid.UUID
	ms := uint64(max(0, at.UnixMilli()))
	for i := range 6 {
		id[i] = byte(ms >> (40 - 8*i))
	}
	id[6] = 0x70 // the version
	return id
}
