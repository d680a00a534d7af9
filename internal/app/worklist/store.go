package worklist

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/user"
	"amanat/internal/lib/postgres"
)

// Column selects the Claim, expired or not, of a row of a table with the columns claimed_by and
// claimed_until, which no other table of the statement may have. Rows that do not wait any more
// have none. The statement needs Join.
func Column(waits string) string {
	return `case when claimed_by is not null and ` + waits + ` then row(` + user.SQLRef("claimant") + `, claimed_until) end as claim`
}

// Join joins the admin of the claim.
const Join = `
  left join users claimant on claimant.id = claimed_by`

// SetClaim claims a row of a table. The caller has locked the row and checked that the admin may
// handle it.
func SetClaim(ctx context.Context, tx *postgres.Tx, table string, id, admin uuid.UUID, now time.Time) error {
	return postgres.Command("worklist.set_claim",
		`update `+table+` set claimed_by = @admin, claimed_until = @until where id = @id`,
	).One(ctx, tx, postgres.Args{"id": id, "admin": admin, "until": now.Add(ClaimFor)})
}
