package deals

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/user"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

const sqlGetProof = `
select p.shown, p.code, p.changed_at, u.id as user_id, u.username, u.profile_pic, u.is_admin as is_staff, u.closed_at is not null as closed
  from deal_proofs p join users u on u.id = p.changed_by
 where p.deal_id = @deal`

// getProof returns the zero Proof if nobody has ever switched it on.
func getProof(ctx context.Context, q postgres.Querier, dealID uuid.UUID) (Proof, error) {
	type row struct {
		Shown      bool
		Code       string
		ChangedAt  time.Time
		UserID     uuid.UUID
		Username   string
		ProfilePic string
		IsStaff    bool
		Closed     bool
	}
	args := pgx.NamedArgs{"deal": dealID}
	proof, _, err := postgres.Optional(postgres.OneAs(ctx, q, "deals.get_proof", sqlGetProof, args, func(r row) Proof {
		by := user.Ref{ID: r.UserID, Username: r.Username, ProfilePic: r.ProfilePic, IsStaff: r.IsStaff, Closed: r.Closed}
		p := Proof{Shown: r.Shown, ChangedBy: &by, ChangedAt: &r.ChangedAt}
		if r.Shown {
			p.Code = r.Code
		}
		return p
	}))
	return proof, err
}

const sqlSaveProof = `
insert into deal_proofs (deal_id, code, shown, changed_by, changed_at) values (@deal, @code, @shown, @user, @now)
on conflict (deal_id) do update set code = @code, shown = @shown, changed_by = @user, changed_at = @now`

func saveProof(ctx context.Context, tx *postgres.Tx, dealID uuid.UUID, code string, shown bool, userID uuid.UUID, now time.Time) error {
	return postgres.ExecOne(ctx, tx, "deals.save_proof", sqlSaveProof,
		pgx.NamedArgs{"deal": dealID, "code": code, "shown": shown, "user": userID, "now": now})
}

const sqlFindHeld = `
select d.price, ` + sqlStatusNow + ` as status, d.activated_at as since, d.closed_at
  from deal_proofs p join deals d on d.id = p.deal_id
 where p.code = @code and p.shown and d.activated_at is not null and (d.closed_at is null or d.closed_at > @ended)`

func findHeld(ctx context.Context, q postgres.Querier, code string, now time.Time) (Held, error) {
	type row struct {
		Price    int64
		Status   Status
		Since    time.Time
		ClosedAt *time.Time
	}
	args := pgx.NamedArgs{"code": normalCode(code), "now": now, "ended": now.Add(-proofKept)}
	return postgres.OneAs(ctx, q, "deals.find_held", sqlFindHeld, args, func(r row) Held {
		return Held{Amount: money.Cents(r.Price), Status: r.Status, Since: r.Since, ClosedAt: r.ClosedAt}
	})
}
