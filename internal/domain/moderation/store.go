package moderation

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/images"
	"amanat/internal/app/user"
	"amanat/internal/app/worklist"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

var sqlSelectCase = `
select c.id, c.subject, c.subject_id, ` + sqlAccount("a") + ` as accused,
       row(c.username, c.title, c.text, c.image_id,
           array(select p.image_id from case_pictures p where p.case_id = c.id order by p.place),
           c.price, c.category, c.rating, c.facts) as snapshot,
       (select count(*) from moderation_reports r where r.case_id = c.id) as reports,
       array(select distinct r.reason from moderation_reports r where r.case_id = c.id order by r.reason) as reasons,
       c.first_reported_at, ` + worklist.Column("true") + `, coalesce(c.action, '') as action, c.reason,
       c.suspended_until as until, ` + user.SQLRefOrNull("d") + ` as decided_by, c.decided_at,
       case when c.appealed_at is not null then
         row(c.appeal, c.appealed_at, coalesce(c.overturned, false), coalesce(c.answer, ''), ` + user.SQLRefOrNull("h") + `,
             c.appeal_decided_at) end as appeal
  from moderation_cases c
  join users a on a.id = c.accused_id` + worklist.Join + `
  left join users d on d.id = c.decided_by
  left join users h on h.id = c.appeal_decided_by`

// sqlAccount returns the SQL expression that is read as an Account, see user.SQLRef.
func sqlAccount(u string) string {
	return "row(" + user.SQLRef(u) + ", " + u + ".is_verified, " + u + ".second_factor_since is not null, " + u + ".created_at)"
}

func getCase(ctx context.Context, q postgres.Querier, id uuid.UUID) (Case, error) {
	c, err := postgres.Query[Case]("moderation.get_case", sqlSelectCase+` where c.id = @id`).One(ctx, q, postgres.Args{"id": id})
	return c, postgres.IfNoRows(err, errNoCase())
}

// lockCase locks a case until the transaction ends and returns it. Locking is a statement of its
// own, so that the users that the case refers to are read as they are after the wait.
func lockCase(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (Case, error) {
	err := postgres.Command("moderation.lock_case", `select from moderation_cases where id = @id for update`).Run(ctx, tx,
		postgres.Args{"id": id})
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

const sqlFoundCase = `
   and (c.accused_id in (select id from users where lower(username) like @username or lower(email) = @email)
        or @id in (c.id, c.subject_id) or c.title ilike @words or c.text ilike @words)`

// listCases reads a page of the cases that are not about the admin.
func listCases(ctx context.Context, q postgres.Querier, admin uuid.UUID, query CaseQuery, page postgres.Page) ([]Case, int, error) {
	where, order := queueParts(query.Status)
	where += ` and c.accused_id <> @admin`
	args := postgres.Args{"admin": admin}
	if text := strings.TrimSpace(query.Search); text != "" {
		where += sqlFoundCase
		lower := strings.ToLower(text)
		args["username"], args["email"], args["words"] = postgres.LikePrefix(lower), lower, "%"+postgres.LikePrefix(text)
		args["id"], _ = uuid.Parse(text) // no row has the zero id
	}
	return casePage(ctx, q, where, order, args, page)
}

const sqlDecisionsAbout = ` where c.accused_id = @user and c.decided_at is not null and c.action <> 'dismiss'`

func listDecisions(ctx context.Context, q postgres.Querier, userID uuid.UUID, page postgres.Page) ([]Case, int, error) {
	return casePage(ctx, q, sqlDecisionsAbout, ` order by c.decided_at desc, c.id desc`, postgres.Args{"user": userID}, page)
}

// casePage reads a page of cases and their total number. Texts are shortened to what excerpts need.
func casePage(
	ctx context.Context, q postgres.Querier, where, order string, args postgres.Args, page postgres.Page,
) ([]Case, int, error) {
	total, err := postgres.Query[int]("moderation.count_cases", `select count(*) from moderation_cases c`+where).One(ctx, q, args)
	if err != nil {
		return nil, 0, err
	}
	args["limit"], args["offset"] = page.Limit, page.Offset
	sql := strings.Replace(sqlSelectCase, "c.text,", "left(c.text, 301),", 1)
	list, err := postgres.Query[Case]("moderation.list_cases", sql+where+order+` limit @limit offset @offset`).Many(ctx, q, args)
	return list, total, err
}

const sqlSetDecided = `
update moderation_cases
   set action = @action, reason = @reason, suspended_until = @until, decided_by = @admin, decided_at = @at,
       claimed_by = null, claimed_until = null
 where id = @id and decided_at is null`

func setDecided(ctx context.Context, tx *postgres.Tx, c Case, admin uuid.UUID) error {
	return postgres.Command("moderation.set_decided", sqlSetDecided).One(ctx, tx, postgres.Args{
		"id": c.ID, "action": c.Action, "reason": c.Reason, "until": c.Until, "admin": admin, "at": c.DecidedAt,
	})
}

var setAppeal = postgres.Command("moderation.set_appeal",
	`update moderation_cases set appeal = @text, appealed_at = @now where id = @id and appealed_at is null`)

const sqlSetAppealDecided = `
update moderation_cases
   set overturned = @overturned, answer = @answer, appeal_decided_by = @admin, appeal_decided_at = @now,
       claimed_by = null, claimed_until = null
 where id = @id and appeal_decided_at is null`

func setAppealDecided(ctx context.Context, tx *postgres.Tx, id, admin uuid.UUID, r AppealRuling, now time.Time) error {
	return postgres.Command("moderation.set_appeal_decided", sqlSetAppealDecided).One(ctx, tx, postgres.Args{
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
	return postgres.Query[bool]("moderation.has_other_admin", sqlHasOtherAdmin).One(ctx, q,
		postgres.Args{"admin": admin, "accused": c.Accused.ID, "case": c.ID, "factor": factorNeeded})
}

var listHistory = postgres.Query[FormerDecision]("moderation.list_history", `
select c.id, c.action, c.reason, c.decided_at, coalesce(c.overturned, false) as overturned
  from moderation_cases c`+sqlDecisionsAbout+` and c.id <> @case
 order by c.decided_at desc, c.id desc limit @limit`)

const sqlInsertCase = `
insert into moderation_cases (id, subject, subject_id, accused_id, username, title, text, price, category, rating, facts,
                              image_id, first_reported_at)
values (@id, @subject, @subjectId, @accused, @username, @title, @text, @price, @category, @rating, @facts,
        @image, @now)
on conflict (subject, subject_id) where decided_at is null do nothing`

// insertCase creates the open case of a subject unless there is one.
func insertCase(ctx context.Context, tx *postgres.Tx, id uuid.UUID, d Draft, s subject, now time.Time) (created bool, err error) {
	n, err := postgres.Command("moderation.insert_case", sqlInsertCase).Count(ctx, tx, postgres.Args{
		"id": id, "subject": d.Subject, "subjectId": d.SubjectID, "accused": s.AuthorID, "username": s.Content.Username,
		"title": s.Content.Title, "text": s.Content.Text, "price": s.Content.Price, "category": s.Content.Category,
		"rating": s.Content.Rating, "facts": s.Content.Facts, "image": s.Content.ImageID, "now": now,
	})
	if err != nil || n == 0 || len(s.Content.Pictures) == 0 {
		return n == 1, err
	}
	return true, insertPictures.Run(ctx, tx, postgres.Args{"case": id, "pictures": s.Content.Pictures})
}

var insertPictures = postgres.Command("moderation.insert_pictures", `
insert into case_pictures (case_id, image_id, place)
select @case, image_id, place - 1 from unnest(@pictures::uuid[]) with ordinality as pictures (image_id, place)`)

// lockOpenCase locks the open case of a subject; open is false if it was decided during the wait.
var lockOpenCase = postgres.Query[uuid.UUID]("moderation.lock_open_case", `
select id from moderation_cases where subject = @subject and subject_id = @id and decided_at is null for update`)

var countReports = postgres.Query[int]("moderation.count_case_reports", `select count(*) from moderation_reports where case_id = @case`)

const sqlInsertReport = `
insert into moderation_reports (id, case_id, reporter_id, reason, text, created_at) values (@id, @case, @reporter, @reason, @text, @now)`

// insertReport adds a report to a case. Code Duplicate if the reporter has one in it.
func insertReport(ctx context.Context, tx *postgres.Tx, id, caseID, reporter uuid.UUID, d Draft, now time.Time) error {
	err := postgres.Command("moderation.insert_report", sqlInsertReport).Run(ctx, tx, postgres.Args{
		"id": id, "case": caseID, "reporter": reporter, "reason": d.Reason, "text": d.Text, "now": now,
	})
	if postgres.UniqueViolation(err, "moderation_reports_once") {
		return fault.New(fault.Duplicate, "already_reported", "You already reported this.")
	}
	return err
}

var hasReported = postgres.Query[bool]("moderation.has_reported",
	`select exists (select from moderation_reports where case_id = @case and reporter_id = @user)`)

var listReporters = postgres.Query[uuid.UUID]("moderation.list_reporters",
	`select r.reporter_id from moderation_reports r join users u on u.id = r.reporter_id
		  where r.case_id = @case and u.closed_at is null order by r.reporter_id`)

const sqlSelectReport = `
select r.id, c.subject, c.subject_id, coalesce(nullif(c.title, ''), c.username) as subject_name, r.reason, r.text, r.created_at,
       coalesce(c.action, '') as action, c.decided_at
  from moderation_reports r join moderation_cases c on c.id = r.case_id`

var getReport = postgres.Query[Report]("moderation.get_report", sqlSelectReport+` where r.id = @id`)

const sqlListReports = sqlSelectReport + `
 where r.reporter_id = @reporter order by r.created_at desc, r.id desc limit @limit offset @offset`

func listReports(ctx context.Context, q postgres.Querier, reporter uuid.UUID, page postgres.Page) ([]Report, int, error) {
	args := postgres.Args{"reporter": reporter, "limit": page.Limit, "offset": page.Offset}
	total, err := postgres.Query[int]("moderation.count_reports",
		`select count(*) from moderation_reports where reporter_id = @reporter`).One(ctx, q, args)
	if err != nil {
		return nil, 0, err
	}
	list, err := postgres.Query[Report]("moderation.list_reports", sqlListReports).Many(ctx, q, args)
	return list, total, err
}

// listCaseReports reads the first reports of a case, oldest first.
var listCaseReports = postgres.Query[CaseReport]("moderation.list_case_reports", `
select r.id, `+sqlAccount("u")+` as reporter, r.reason, r.text, r.created_at
  from moderation_reports r join users u on u.id = r.reporter_id
 where r.case_id = @case
 order by r.created_at, r.id limit @limit`)

// subject is something that can be reported.
type subject struct {
	AuthorID uuid.UUID
	Content  Content
}

type subjectRow struct {
	AuthorID uuid.UUID
	Content
	ProfilePic string // URL of an image
	Visible    bool   // to the reader
}

func (r subjectRow) subject() subject {
	if id, ours := images.ID(r.ProfilePic); ours {
		r.ImageID = &id
	}
	return subject{AuthorID: r.AuthorID, Content: r.Content}
}

// sqlSubjects select something by its id, and whether the reader can see it.
var sqlSubjects = map[Subject]string{
	Post: `
select u.id as author_id, u.username, p.title, p.description as text, p.image_id,
       array(select f.image_id from post_pictures f where f.post_id = p.id order by f.place) as pictures,
       '' as profile_pic, p.price, p.category, null::integer as rating, p.facts, p.hidden_by is null and u.disabled_at is null as visible
  from posts p join users u on u.id = p.created_by
 where p.id = @id`,
	Message: `
select u.id as author_id, u.username, '' as title, m.text, m.image_id,
       array(select p.image_id from deal_pictures p join images i on i.id = p.image_id
              where p.event_id = m.deal_event_id and i.released_at is null order by p.place) as pictures,
       '' as profile_pic, null::bigint as price, '' as category,
       null::integer as rating, '{}'::jsonb as facts, coalesce(@reader in (c.user_a, c.user_b), false) as visible
  from messages m join conversations c on c.id = m.conversation_id join users u on u.id = m.sender_id
 where m.id = @id`,
	Person: `
select u.id as author_id, u.username, '' as title, '' as text, null::uuid as image_id, '{}'::uuid[] as pictures,
       u.profile_pic, null::bigint as price, '' as category, null::integer as rating, '{}'::jsonb as facts,
       u.disabled_at is null as visible
  from users u
 where u.id = @id`,
	Review: `
select u.id as author_id, u.username, '' as title, r.comment as text, null::uuid as image_id, '{}'::uuid[] as pictures, '' as profile_pic,
       null::bigint as price,
       '' as category, r.rating::integer, '{}'::jsonb as facts, r.hidden_by is null as visible
  from reviews r join users u on u.id = r.reviewer_id
 where r.id = @id`,
}

func findSubject(
	ctx context.Context, q postgres.Querier, about Subject, id uuid.UUID, reader *uuid.UUID,
) (r subjectRow, found bool, err error) {
	return postgres.Query[subjectRow]("moderation.find_subject", sqlSubjects[about]).Find(ctx, q,
		postgres.Args{"id": id, "reader": reader})
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

// lockAccused locks a user until the transaction ends and reports whether they are an admin.
var lockAccused = postgres.Query[bool]("moderation.lock_accused", `select is_admin from users where id = @id for no key update`)

// findSuspension returns the decision for which a user is disabled; found is false if they are not
// disabled, or for another reason.
var findSuspension = postgres.Query[suspension]("moderation.find_suspension", `
select c.id as decision, c.suspended_until as until
  from users u join moderation_cases c on c.id = u.suspended_by
 where u.id = @user and u.disabled_at is not null`)

// nextSuspension returns the decision that disables a user the longest apart from one that does so
// no more.
//
// Decisions from before the account was last disabled have ended: an admin has enabled it since.
var nextSuspension = postgres.Query[uuid.UUID]("moderation.next_suspension", `
select c.id
  from moderation_cases c join users u on u.id = c.accused_id
 where c.accused_id = @user and c.id <> @except and c.action in ('suspend', 'ban') and c.overturned is not true
   and (c.suspended_until is null or c.suspended_until > @now) and c.decided_at >= u.disabled_at
 order by c.suspended_until desc nulls first limit 1`)

// listOverdue returns users whose suspension has run out.
var listOverdue = postgres.Query[uuid.UUID]("moderation.list_overdue", `
select u.id from users u join moderation_cases c on c.id = u.suspended_by
 where c.suspended_until <= @now and u.disabled_at is not null order by c.suspended_until, u.id limit @limit`)
