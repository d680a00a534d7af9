package moderation

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/user"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

type caseRow struct {
	ID                  uuid.UUID
	Subject             Subject
	SubjectID           uuid.UUID
	AccusedID           uuid.UUID
	AccusedUsername     string
	AccusedProfilePic   string
	AccusedIsStaff      bool
	AccusedClosed       bool
	AccusedIsVerified   bool
	AccusedSecondFactor bool
	AccusedCreatedAt    time.Time
	Username            string
	Title               string
	Text                string
	Price               *money.Cents
	Category            string
	Rating              *int
	ImageID             *uuid.UUID
	Pictures            []uuid.UUID
	Reports             int
	Reasons             []Reason
	FirstReportedAt     time.Time
	ClaimedByID         *uuid.UUID
	ClaimedByUsername   *string
	ClaimedByProfilePic *string
	ClaimedUntil        *time.Time
	Action              *Action
	Reason              string
	SuspendedUntil      *time.Time
	DecidedByID         *uuid.UUID
	DecidedByUsername   *string
	DecidedAt           *time.Time
	Appeal              *string
	AppealedAt          *time.Time
	Overturned          *bool
	Answer              *string
	AppealByID          *uuid.UUID
	AppealByUsername    *string
	AppealDecidedAt     *time.Time
}

func (r caseRow) toCase() Case {
	c := Case{
		ID: r.ID, Subject: r.Subject, SubjectID: r.SubjectID,
		Accused: Account{
			Ref: user.Ref{
				ID: r.AccusedID, Username: r.AccusedUsername, ProfilePic: r.AccusedProfilePic, IsStaff: r.AccusedIsStaff, Closed: r.AccusedClosed,
			},
			IsVerified: r.AccusedIsVerified, SecondFactor: r.AccusedSecondFactor, CreatedAt: r.AccusedCreatedAt,
		},
		Snapshot: Content{
			Username: r.Username, Title: r.Title, Text: r.Text, ImageID: r.ImageID, Pictures: r.Pictures, Price: r.Price, Category: r.Category,
			Rating: r.Rating,
		},
		Reports: r.Reports, Reasons: r.Reasons, FirstReportedAt: r.FirstReportedAt, ClaimedUntil: r.ClaimedUntil,
		Reason: r.Reason, Until: r.SuspendedUntil, DecidedBy: admin(r.DecidedByID, r.DecidedByUsername), DecidedAt: r.DecidedAt,
		ClaimedBy: admin(r.ClaimedByID, r.ClaimedByUsername),
	}
	if c.ClaimedBy != nil {
		c.ClaimedBy.ProfilePic = *r.ClaimedByProfilePic
	}
	if r.Action != nil {
		c.Action = *r.Action
	}
	if r.AppealedAt != nil {
		c.Appeal = &Appeal{
			Text: *r.Appeal, CreatedAt: *r.AppealedAt, DecidedBy: admin(r.AppealByID, r.AppealByUsername), DecidedAt: r.AppealDecidedAt,
		}
	}
	if r.AppealDecidedAt != nil {
		c.Appeal.Overturned, c.Appeal.Answer = *r.Overturned, *r.Answer
	}
	return c
}

// admin returns the admin of nullable columns.
func admin(id *uuid.UUID, username *string) *user.Ref {
	if id == nil {
		return nil
	}
	return &user.Ref{ID: *id, Username: *username, IsStaff: true}
}

const sqlSelectCase = `
select c.id, c.subject, c.subject_id, c.username, c.title, c.text, c.price, c.category, c.rating, c.image_id, c.first_reported_at,
       a.id as accused_id, a.username as accused_username, a.profile_pic as accused_profile_pic, a.is_admin as accused_is_staff,
       a.closed_at is not null as accused_closed,
       a.is_verified as accused_is_verified, a.second_factor_since is not null as accused_second_factor, a.created_at as accused_created_at,
       array(select p.image_id from case_pictures p where p.case_id = c.id order by p.place) as pictures,
       (select count(*) from moderation_reports r where r.case_id = c.id) as reports,
       array(select distinct r.reason from moderation_reports r where r.case_id = c.id order by r.reason) as reasons,
       k.id as claimed_by_id, k.username as claimed_by_username, k.profile_pic as claimed_by_profile_pic, c.claimed_until,
       c.action, c.reason, c.suspended_until, d.id as decided_by_id, d.username as decided_by_username, c.decided_at,
       c.appeal, c.appealed_at, c.overturned, c.answer,
       h.id as appeal_by_id, h.username as appeal_by_username, c.appeal_decided_at
  from moderation_cases c
  join users a on a.id = c.accused_id
  left join users k on k.id = c.claimed_by
  left join users d on d.id = c.decided_by
  left join users h on h.id = c.appeal_decided_by`

func getCase(ctx context.Context, q postgres.Querier, id uuid.UUID) (Case, error) {
	c, err := postgres.OneAs(ctx, q, "moderation.get_case", sqlSelectCase+` where c.id = @id`, pgx.NamedArgs{"id": id}, caseRow.toCase)
	return c, postgres.IfNoRows(err, errNoCase())
}

// lockCase locks a case until the transaction ends and returns it. Locking is a statement of its
// own, so that the users that the case refers to are read as they are after the wait.
func lockCase(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (Case, error) {
	err := postgres.Exec(ctx, tx, "moderation.lock_case", `select from moderation_cases where id = @id for update`, pgx.NamedArgs{"id": id})
	if err != nil {
		return Case{}, err
	}
	return getCase(ctx, tx, id)
}

// queueParts selects and sorts the cases with a status.
func queueParts(status Status) (where, order string) {
	switch status {
	case Open:
		return ` where c.decided_at is null`, ` order by c.first_reported_at, c.id`
	case Appealed:
		return ` where c.appealed_at is not null and c.appeal_decided_at is null`, ` order by c.appealed_at, c.id`
	case Decided, Closed:
	}
	return ` where c.decided_at is not null and (c.appealed_at is null or c.appeal_decided_at is not null)`,
		` order by c.decided_at desc, c.id desc`
}

// listCases reads a page of the cases with a status that are not about the admin.
func listCases(ctx context.Context, q postgres.Querier, admin uuid.UUID, status Status, page postgres.Page) ([]Case, int, error) {
	where, order := queueParts(status)
	return casePage(ctx, q, where+` and c.accused_id <> @admin`, order, pgx.NamedArgs{"admin": admin}, page)
}

const sqlDecisionsAbout = ` where c.accused_id = @user and c.decided_at is not null and c.action <> 'dismiss'`

func listDecisions(ctx context.Context, q postgres.Querier, userID uuid.UUID, page postgres.Page) ([]Case, int, error) {
	return casePage(ctx, q, sqlDecisionsAbout, ` order by c.decided_at desc, c.id desc`, pgx.NamedArgs{"user": userID}, page)
}

// casePage reads a page of cases and their total number. Texts are shortened to what excerpts need.
func casePage(
	ctx context.Context, q postgres.Querier, where, order string, args pgx.NamedArgs, page postgres.Page,
) ([]Case, int, error) {
	total, err := postgres.Value[int](ctx, q, "moderation.count_cases", `select count(*) from moderation_cases c`+where, args)
	if err != nil {
		return nil, 0, err
	}
	args["limit"], args["offset"] = page.Limit, page.Offset
	sql := strings.Replace(sqlSelectCase, "c.text,", "left(c.text, 301) as text,", 1)
	list, err := postgres.ManyAs(ctx, q, "moderation.list_cases", sql+where+order+` limit @limit offset @offset`, args, caseRow.toCase)
	return list, total, err
}

func setClaim(ctx context.Context, tx *postgres.Tx, id, admin uuid.UUID, until time.Time) error {
	return postgres.ExecOne(ctx, tx, "moderation.set_claim",
		`update moderation_cases set claimed_by = @admin, claimed_until = @until where id = @id`,
		pgx.NamedArgs{"id": id, "admin": admin, "until": until})
}

const sqlSetDecided = `
update moderation_cases
   set action = @action, reason = @reason, suspended_until = @until, decided_by = @admin, decided_at = @at,
       claimed_by = null, claimed_until = null
 where id = @id and decided_at is null`

func setDecided(ctx context.Context, tx *postgres.Tx, c Case, admin uuid.UUID) error {
	return postgres.ExecOne(ctx, tx, "moderation.set_decided", sqlSetDecided, pgx.NamedArgs{
		"id": c.ID, "action": c.Action, "reason": c.Reason, "until": c.Until, "admin": admin, "at": c.DecidedAt,
	})
}

func setAppeal(ctx context.Context, tx *postgres.Tx, id uuid.UUID, text string, now time.Time) error {
	return postgres.ExecOne(ctx, tx, "moderation.set_appeal",
		`update moderation_cases set appeal = @text, appealed_at = @now where id = @id and appealed_at is null`,
		pgx.NamedArgs{"id": id, "text": text, "now": now})
}

const sqlSetAppealDecided = `
update moderation_cases
   set overturned = @overturned, answer = @answer, appeal_decided_by = @admin, appeal_decided_at = @now,
       claimed_by = null, claimed_until = null
 where id = @id and appeal_decided_at is null`

func setAppealDecided(ctx context.Context, tx *postgres.Tx, id, admin uuid.UUID, r AppealRuling, now time.Time) error {
	return postgres.ExecOne(ctx, tx, "moderation.set_appeal_decided", sqlSetAppealDecided, pgx.NamedArgs{
		"id": id, "admin": admin, "overturned": r.Overturn, "answer": r.Answer, "now": now,
	})
}

const sqlHasOtherAdmin = `
select exists (select from users where is_admin and disabled_at is null and (second_factor_since is not null or not @factor)
                 and id <> all (array[@admin::uuid, @accused::uuid])
                 and not exists (select from moderation_reports r where r.case_id = @case and r.reporter_id = users.id))`

// hasOtherAdmin reports whether an admin other than the given one may decide the case. With
// factorNeeded, those without a second factor may not.
func hasOtherAdmin(ctx context.Context, q postgres.Querier, c Case, admin uuid.UUID, factorNeeded bool) (bool, error) {
	return postgres.Value[bool](ctx, q, "moderation.has_other_admin", sqlHasOtherAdmin,
		pgx.NamedArgs{"admin": admin, "accused": c.Accused.ID, "case": c.ID, "factor": factorNeeded})
}

const sqlHistory = `
select c.id, c.action, c.reason, c.decided_at, coalesce(c.overturned, false) as overturned
  from moderation_cases c` + sqlDecisionsAbout + ` and c.id <> @case
 order by c.decided_at desc, c.id desc limit @limit`

func listHistory(ctx context.Context, q postgres.Querier, userID, except uuid.UUID, limit int) ([]FormerDecision, error) {
	return postgres.Many[FormerDecision](ctx, q, "moderation.list_history", sqlHistory,
		pgx.NamedArgs{"user": userID, "case": except, "limit": limit})
}
