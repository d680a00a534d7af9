package worklist

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/user"
	"amanat/internal/lib/postgres"
)

// Columns selects the columns of a ClaimRow from a table of rows that admins claim. It has the
// columns claimed_by and claimed_until, and no other table of the statement may have them. The
// statement needs Join.
var Columns = user.SQLRefOrNull("claimant") + ` as claimed_by, claimed_until`

// Join joins the admin of the claim.
const Join = `
  left join users claimant on claimant.id = claimed_by`

// ClaimRow is the claim in a row of a table. It is embedded in the struct of the row.
type ClaimRow struct {
	ClaimedBy    *user.Ref
	ClaimedUntil *time.Time
}

// Claim returns the claim, expired or not, or nil if there is none.
func (r ClaimRow) Claim() *Claim {
	if r.ClaimedBy == nil {
		return nil
	}
	return &Claim{Admin: *r.ClaimedBy, Until: *r.ClaimedUntil}
}

// SetClaim claims a row of a table. The caller has locked the row and checked that the admin may
// handle it.
func SetClaim(ctx context.Context, tx *postgres.Tx, table string, id, admin uuid.UUID, now time.Time) error {
	return postgres.Command("worklist.set_claim."+table,
		`update `+table+` set claimed_by = @admin, claimed_until = @until where id = @id`,
	).One(ctx, tx, postgres.Args{"id": id, "admin": admin, "until": now.Add(ClaimFor)})
}
