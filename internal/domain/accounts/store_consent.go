package accounts

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

const sqlInsertConsent = `
insert into consents (user_id, version, accepted_at, address) values (@user, @version, @at, @address)
on conflict (user_id, version) do nothing`

func insertConsent(ctx context.Context, q postgres.Querier, userID uuid.UUID, c Consent, client Client) error {
	return postgres.Exec(ctx, q, "accounts.insert_consent", sqlInsertConsent, pgx.NamedArgs{
		"user": userID, "version": c.Version, "at": c.AcceptedAt, "address": client.Address,
	})
}

// Users from before consents were recorded accepted the first version when they signed up.
const sqlLatestConsent = `
select coalesce(c.version, @first) as version, coalesce(c.accepted_at, u.terms_accepted_at) as accepted_at
  from users u
  left join lateral (select version, accepted_at from consents where user_id = u.id order by version desc limit 1) c on true
 where u.id = @user`

// queueConsent queues the reading of the latest version that the user accepted.
func queueConsent(q postgres.Queue, userID uuid.UUID, consent *Consent) {
	args := pgx.NamedArgs{"user": userID, "first": TermsVersions()[0]}
	postgres.QueueMany(q, "accounts.latest_consent", sqlLatestConsent, args, func(rows []Consent) error {
		for _, row := range rows {
			*consent = row
		}
		return nil
	})
}
