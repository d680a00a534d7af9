package chat

import (
	"bytes"
	"context"
	"slices"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

// Inspect returns part of the conversation of two users to an admin, empty if they have none, and
// records the access in the audit log. The caller has checked that the actor is an admin. Codes:
// NotFound if one of the users is unknown, Invalid as for Messages.
func (s *Service) Inspect(ctx context.Context, admin, one, other uuid.UUID, before Before) (History, error) {
	var seen History
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		for _, id := range []uuid.UUID{one, other} {
			if _, err := getPerson(ctx, tx, id); err != nil {
				return err
			}
		}
		t, err := getPair(ctx, tx, one, other)
		switch {
		case fault.CodeOf(err) == fault.NotFound:
			seen = History{Messages: []DirectMessage{}}
		case err != nil:
			return err
		default:
			if seen, err = history(ctx, tx, &t, admin, before); err != nil {
				return err
			}
		}
		return audit.Record(ctx, tx, audit.Entry{
			At: s.Clock.Now(), Actor: actor.User(admin), Action: "chat.inspect", Subject: subject(one, other),
			Details: map[string]any{"users": []uuid.UUID{one, other}, "messages": len(seen.Messages), "before": before.MessageID},
		})
	})
	return seen, err
}

// around is how many messages before and after a reported one an admin sees.
const around = 10

// InspectAround returns a message with up to ten before and ten after it to an admin, oldest first,
// and records the access in the audit log. The caller has checked that the actor is an admin. Code
// NotFound.
func (s *Service) InspectAround(ctx context.Context, admin, messageID uuid.UUID) ([]DirectMessage, error) {
	var seen []DirectMessage
	err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		conversation, seq, found, err := findPlace(ctx, tx, messageID)
		if err != nil {
			return err
		}
		if !found {
			return errNotFound()
		}
		t, err := getThread(ctx, tx, conversation)
		if err != nil {
			return err
		}
		list, err := messagesBefore(ctx, tx, conversation, seq+around+1, around+1+around)
		if err != nil {
			return err
		}
		seen = make([]DirectMessage, 0, len(list))
		for _, m := range slices.Backward(list) {
			if m.Seq >= seq-around {
				seen = append(seen, t.showTo(admin, m))
			}
		}
		one, other := t.Members[0].ID, t.Members[1].ID
		return audit.Record(ctx, tx, audit.Entry{
			At: s.Clock.Now(), Actor: actor.User(admin), Action: "chat.inspect", Subject: subject(one, other),
			Details: map[string]any{"users": []uuid.UUID{one, other}, "messages": len(seen), "around": messageID},
		})
	})
	return seen, err
}

// subject names the conversation of two users in the audit log, independent of their order.
func subject(one, other uuid.UUID) string {
	if bytes.Compare(one[:], other[:]) > 0 {
		one, other = other, one
	}
	return "chat:" + one.String() + ":" + other.String()
}
