package api

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/app/user"
	"amanat/internal/domain/chat"
	"amanat/internal/domain/moderation"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

const moderationTag = "Moderation"

func (s *Server) registerModeration() {
	registerIdempotent(s, endpoint{
		id: "report-create", method: http.MethodPost, path: "/reports", tag: moderationTag, status: http.StatusCreated,
		summary:    "Report a user, a post, a message or a review to the admins",
		rateLimits: []rateLimit{s.perPerson("reports", s.limits.ReportLimit)},
		codes:      []fault.Code{fault.NotFound, fault.Duplicate, fault.Conflict},
	}, false, s.reportCreate)
	register(s, endpoint{
		id: "reports-mine", method: http.MethodGet, path: "/reports/mine", tag: moderationTag,
		summary: "What the user has reported, newest first",
	}, s.reportsMine)
	register(s, endpoint{
		id: "decisions", method: http.MethodGet, path: "/decisions", tag: moderationTag,
		summary: "Decisions of admins about the user, newest first",
	}, s.decisions)
	register(s, endpoint{
		id: "decision", method: http.MethodGet, path: "/decisions/{id}", tag: moderationTag,
		summary: "One decision, to the user it is about",
	}, s.decision)
	registerIdempotent(s, endpoint{
		id: "decision-appeal", method: http.MethodPost, path: "/decisions/{id}/appeal", tag: moderationTag, status: http.StatusCreated,
		summary: "Appeal against a decision, once, within 14 days",
		codes:   []fault.Code{fault.Duplicate, fault.Conflict},
	}, false, s.decisionAppeal)
	register(s, endpoint{
		id: "appeal-open", method: http.MethodPost, path: "/appeals/open", tag: moderationTag, access: anyone,
		summary: "The decision that a mailed link is about",
	}, s.appealOpen)
	register(s, endpoint{
		id: "appeal-create", method: http.MethodPost, path: "/appeals", tag: moderationTag, access: anyone, status: http.StatusCreated,
		summary: "Appeal against a decision with the token of the mailed link, without a session",
		codes:   []fault.Code{fault.Duplicate, fault.Conflict},
	}, s.appealCreate)
}

// ReportBody is the body of a report.
type ReportBody struct {
	Subject   string `json:"subject" enum:"post,message,user,review"`
	SubjectID string `json:"subjectId" format:"uuid"`
	Reason    string `json:"reason" enum:"scam,off_platform,abuse,sexual,illegal,impersonation,spam,false_review,other" doc:"false_review is for reviews only."`
	Text      string `json:"text,omitempty" doc:"At most 1,000 characters; required with other." example:"They ask for payment outside of Amanat."`
}

// Report is a user's report, as they see it themselves.
type Report struct {
	ID          uuid.UUID  `json:"_id"`
	Subject     string     `json:"subject" enum:"post,message,user,review"`
	SubjectID   uuid.UUID  `json:"subjectId"`
	SubjectName string     `json:"subjectName" doc:"The title of the post, otherwise the username of the author." example:"Cooking channel"`
	Reason      string     `json:"reason" enum:"scam,off_platform,abuse,sexual,illegal,impersonation,spam,false_review,other"`
	Text        string     `json:"text" example:"They ask for payment outside of Amanat."`
	Status      string     `json:"status" enum:"open,decided"`
	Outcome     string     `json:"outcome" enum:",action_taken,no_violation" doc:"Empty while it is open."`
	CreatedAt   time.Time  `json:"createdAt"`
	DecidedAt   *time.Time `json:"decidedAt"`
}

func reportOf(r moderation.Report) Report {
	status := moderation.Open
	if r.DecidedAt != nil {
		status = moderation.Decided
	}
	return Report{
		ID: r.ID, Subject: string(r.Subject), SubjectID: r.SubjectID, SubjectName: r.SubjectName, Reason: string(r.Reason), Text: r.Text,
		Status: string(status), Outcome: r.Outcome(), CreatedAt: r.CreatedAt, DecidedAt: r.DecidedAt,
	}
}

// ReportSent is the answer to a report.
type ReportSent struct {
	catalog.Outcome
	Report Report `json:"report"`
}

func (s *Server) reportCreate(ctx context.Context, in *struct{ Payload Payload[ReportBody] }) (*Settled[ReportSent], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	draft := moderation.Draft{Subject: moderation.Subject(body.Subject), Reason: moderation.Reason(body.Reason), Text: body.Text}
	// A malformed id becomes the zero id, which nothing has, and is refused like an unknown one.
	draft.SubjectID, _ = parseID(body.SubjectID)
	report, err := s.moderation.Report(ctx, actor(ctx).ID, draft, callOf(ctx).key)
	return settledWith(ReportSent{moderation.OutcomeReported, reportOf(report)}), err
}

type reportListOutput struct {
	Total
	Body []Report
}

func (s *Server) reportsMine(ctx context.Context, in *Paged) (*reportListOutput, error) {
	slice, err := in.sliceOrFirst()
	if err != nil {
		return nil, err
	}
	list, total, err := s.moderation.ListReports(ctx, actor(ctx).ID, slice)
	return &reportListOutput{Total: Total{total}, Body: mapped(list, reportOf)}, err
}

// Decision is an admin's decision as the person concerned sees it.
type Decision struct {
	ID          uuid.UUID        `json:"_id"`
	Action      string           `json:"action" enum:"warn,hide,suspend,ban"`
	Subject     string           `json:"subject" enum:"post,message,user,review" doc:"What it is about."`
	SubjectID   uuid.UUID        `json:"subjectId"`
	SubjectName string           `json:"subjectName" doc:"The title of the post, otherwise the username." example:"Cooking channel"`
	Excerpt     string           `json:"excerpt" doc:"The beginning of the text when it was reported." example:"A cooking channel with 12,000 subscribers."`
	Reason      string           `json:"reason" doc:"The admin's words." example:"You asked for payment outside of Amanat."`
	Until       *time.Time       `json:"until" doc:"Of a suspension."`
	DecidedAt   time.Time        `json:"decidedAt"`
	Appeal      Nullable[Appeal] `json:"appeal"`
	CanAppeal   bool             `json:"canAppeal"`
	AppealUntil time.Time        `json:"appealUntil"`
}

// Appeal is an appeal against a decision.
type Appeal struct {
	Text      string     `json:"text" example:"The post is about my own channel."`
	CreatedAt time.Time  `json:"createdAt"`
	Status    string     `json:"status" enum:"open,upheld,overturned" doc:"What has become of the decision."`
	Answer    string     `json:"answer" doc:"Empty while it is open." example:"You are right, we are sorry."`
	DecidedAt *time.Time `json:"decidedAt"`
}

func appealOf(a moderation.Appeal) Appeal {
	return Appeal{Text: a.Text, CreatedAt: a.CreatedAt, Status: a.Status(), Answer: a.Answer, DecidedAt: a.DecidedAt}
}

func (s *Server) decisionOf(c moderation.Case) Decision {
	d := Decision{
		ID: c.ID, Action: string(c.Action), Subject: string(c.Subject), SubjectID: c.SubjectID, SubjectName: c.Snapshot.Name(),
		Excerpt: c.Snapshot.Excerpt(), Reason: c.Reason, Until: c.Until, DecidedAt: *c.DecidedAt,
		CanAppeal: c.CanAppeal(s.clock.Now()), AppealUntil: c.AppealUntil(),
	}
	if c.Appeal != nil {
		appeal := appealOf(*c.Appeal)
		d.Appeal = orNull(&appeal)
	}
	return d
}

type decisionListOutput struct {
	Total
	Body []Decision
}

func (s *Server) decisions(ctx context.Context, in *PagedLong) (*decisionListOutput, error) {
	slice, err := in.sliceOrFirst()
	if err != nil {
		return nil, err
	}
	list, total, err := s.moderation.ListDecisions(ctx, actor(ctx).ID, slice)
	return &decisionListOutput{Total: Total{total}, Body: mapped(list, s.decisionOf)}, err
}

func (s *Server) decision(ctx context.Context, _ *IDPath) (*output[Decision], error) {
	found, err := s.moderation.GetDecision(ctx, actor(ctx).ID, pathID(ctx))
	if err != nil {
		return nil, err
	}
	return respond(s.decisionOf(found)), nil
}

// AppealBody is the body of an appeal.
type AppealBody struct {
	Text string `json:"text" doc:"1 to 2,000 characters." example:"The post is about my own channel."`
}

// AppealInput appeals against a decision.
type AppealInput struct {
	IDPath
	Payload Payload[AppealBody]
}

// AppealSent is the answer to an appeal.
type AppealSent struct {
	catalog.Outcome
	Decision Decision `json:"decision"`
}

func (s *Server) decisionAppeal(ctx context.Context, in *AppealInput) (*Settled[AppealSent], error) {
	if _, err := s.moderation.GetDecision(ctx, actor(ctx).ID, pathID(ctx)); err != nil {
		return nil, err // before the body is decoded
	}
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	appealed, err := s.moderation.Appeal(ctx, actor(ctx).ID, pathID(ctx), body.Text, callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	return settledWith(AppealSent{moderation.OutcomeAppealed, s.decisionOf(appealed)}), nil
}

// DecisionOpened is the decision of a mailed link.
type DecisionOpened struct {
	Decision Decision `json:"decision"`
}

func (s *Server) appealOpen(ctx context.Context, in *struct{ Payload Payload[LinkBody] }) (*output[DecisionOpened], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	found, err := s.moderation.OpenLink(ctx, body.Token)
	if err != nil {
		return nil, err
	}
	return respond(DecisionOpened{s.decisionOf(found)}), nil
}

// AppealByLinkBody is the body of an appeal without a session.
type AppealByLinkBody struct {
	LinkBody
	AppealBody
}

func (s *Server) appealCreate(ctx context.Context, in *struct{ Payload Payload[AppealByLinkBody] }) (*output[AppealSent], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	appealed, err := s.moderation.AppealByLink(ctx, body.Token, body.Text)
	if err != nil {
		return nil, err
	}
	s.securityEvent(ctx, slog.LevelInfo, "appeal by mailed link", &appealed.Accused.ID)
	return respond(AppealSent{moderation.OutcomeAppealed, s.decisionOf(appealed)}), nil
}

func (s *Server) registerAdminCases() {
	register(s, endpoint{
		id: "admin-cases", method: http.MethodGet, path: "/admin/reports", tag: adminTag, access: admin,
		summary: "Cases of reports: open and appealed ones oldest first, decided ones newest first",
	}, s.adminCases)
	register(s, endpoint{
		id: "admin-case", method: http.MethodGet, path: "/admin/reports/{id}", tag: adminTag, access: reauthenticated,
		summary: "A case with its reports; a look at the messages around a reported one is in the audit log", visible: known(s.moderation.Get),
	}, s.adminCase)
	register(s, endpoint{
		id: "admin-case-claim", method: http.MethodPost, path: "/admin/reports/{id}/claim", tag: adminTag, access: admin,
		summary: "Keep other admins away from a case for five minutes", visible: known(s.moderation.Get),
		codes: []fault.Code{fault.AlreadyHandled},
	}, s.adminCaseClaim)
	registerIdempotent(s, endpoint{
		id: "admin-case-decide", method: http.MethodPost, path: "/admin/reports/{id}/decide", tag: adminTag, access: reauthenticated,
		summary: "Decide all reports of a case", visible: known(s.moderation.Get),
		codes: []fault.Code{fault.AlreadyHandled, fault.Conflict},
	}, false, s.adminCaseDecide)
	registerIdempotent(s, endpoint{
		id: "admin-case-appeal", method: http.MethodPost, path: "/admin/reports/{id}/appeal", tag: adminTag, access: reauthenticated,
		summary: "Uphold or overturn a decision that was appealed against", visible: known(s.moderation.Get),
		codes: []fault.Code{fault.AlreadyHandled, fault.Conflict},
	}, false, s.adminCaseAppeal)
}

// AdminCase is all reports of one thing, as admins see them.
type AdminCase struct {
	ID              uuid.UUID             `json:"_id"`
	Subject         string                `json:"subject" enum:"post,message,user,review"`
	SubjectID       uuid.UUID             `json:"subjectId"`
	Accused         PublicUser            `json:"accused"`
	SubjectName     string                `json:"subjectName" doc:"The title of the post, otherwise the username of the author." example:"Cooking channel"`
	Excerpt         string                `json:"excerpt" doc:"The beginning of the text when it was first reported." example:"A cooking channel with 12,000 subscribers."`
	Reports         int                   `json:"reports" example:"2"`
	Reasons         []string              `json:"reasons" enum:"scam,off_platform,abuse,sexual,illegal,impersonation,spam,false_review,other"`
	FirstReportedAt time.Time             `json:"firstReportedAt"`
	Status          string                `json:"status" enum:"open,decided,appealed,closed" doc:"closed: the appeal was decided."`
	ClaimedBy       Nullable[user.Ref]    `json:"claimedBy"`
	ClaimedUntil    *time.Time            `json:"claimedUntil"`
	Action          string                `json:"action" enum:",dismiss,warn,hide,suspend,ban" doc:"Empty while it is open."`
	Reason          string                `json:"reason" doc:"Of the decision." example:"You asked for payment outside of Amanat."`
	Until           *time.Time            `json:"until" doc:"Of a suspension."`
	DecidedBy       string                `json:"decidedBy" doc:"Username of the admin." example:"sadia"`
	DecidedAt       *time.Time            `json:"decidedAt"`
	Appeal          Nullable[AdminAppeal] `json:"appeal"`
}

// AdminAppeal is an appeal as admins see it.
type AdminAppeal struct {
	Appeal
	DecidedBy string `json:"decidedBy" doc:"Username of the admin." example:"sadia"`
}

// publicUserOf returns the user of a case.
func publicUserOf(a moderation.Account) PublicUser {
	return PublicUser{Ref: a.Ref, IsVerified: a.IsVerified, SecondFactor: a.SecondFactor, CreatedAt: a.CreatedAt}
}

func usernameOf(admin *user.Ref) string {
	if admin == nil {
		return ""
	}
	return admin.Username
}

func adminCaseOf(c moderation.Case) AdminCase {
	wire := AdminCase{
		ID: c.ID, Subject: string(c.Subject), SubjectID: c.SubjectID, Accused: publicUserOf(c.Accused), SubjectName: c.Snapshot.Name(),
		Excerpt: c.Snapshot.Excerpt(), Reports: c.Reports, FirstReportedAt: c.FirstReportedAt, Status: string(c.Status()),
		Reasons: mapped(c.Reasons, func(r moderation.Reason) string { return string(r) }),
		Action:  string(c.Action), Reason: c.Reason, Until: c.Until,
		DecidedBy: usernameOf(c.DecidedBy), DecidedAt: c.DecidedAt,
	}
	if c.Claim != nil {
		wire.ClaimedBy, wire.ClaimedUntil = orNull(&c.Claim.Admin), &c.Claim.Until
	}
	if a := c.Appeal; a != nil {
		wire.Appeal = orNull(&AdminAppeal{appealOf(*a), usernameOf(a.DecidedBy)})
	}
	return wire
}

// AdminCasesInput is the query of the cases' worklist.
type AdminCasesInput struct {
	PagedLong
	Status string `query:"status" enum:"open,appealed,decided" doc:"open when not given; decided has the closed ones, too."`
	Search string `query:"search" doc:"The beginning of the username of the accused, their email address, the id of the case or of what was reported, or words of what was reported." example:"karim"`
}

// AdminCases is a page of the cases' worklist.
type AdminCases struct {
	Success bool        `json:"success" example:"true"`
	Cases   []AdminCase `json:"cases"`
	Pages
}

func (s *Server) adminCases(ctx context.Context, in *AdminCasesInput) (*output[AdminCases], error) {
	status, err := oneOf("status", in.Status, moderation.Open, moderation.Appealed, moderation.Decided)
	if err != nil {
		return nil, err
	}
	slice, number, err := Paged(in.PagedLong).slice()
	if err != nil {
		return nil, err
	}
	if slice.Limit > longLimit {
		slice = postgres.Page{Limit: longLimit, Offset: (number - 1) * longLimit}
	}
	if status == "" {
		status = moderation.Open
	}
	list, total, err := s.moderation.Queue(ctx, actor(ctx).ID, moderation.CaseQuery{Status: status, Search: in.Search}, slice)
	return respond(AdminCases{true, mapped(list, adminCaseOf), pagesOf(number, slice.Limit, total)}), err
}

// AdminCaseDetail is a case with all that an admin needs to decide it.
type AdminCaseDetail struct {
	AdminCase
	Snapshot   ReportedContent           `json:"snapshot" doc:"When it was first reported."`
	Current    Nullable[ReportedContent] `json:"current" doc:"What it is now; null if it was deleted."`
	ReportList []CaseReport              `json:"reportList" doc:"The first hundred, oldest first."`
	Context    []chat.DirectMessage      `json:"context" doc:"Of a message: it, with up to ten before and ten after it."`
	History    []FormerDecision          `json:"history" doc:"Up to twenty other decisions about the accused, newest first."`
}

// ReportedContent is what was reported. Fields that its kind does not have are empty or null.
type ReportedContent struct {
	Title    string       `json:"title" example:"Cooking channel"`
	Text     string       `json:"text" example:"A cooking channel with 12,000 subscribers."`
	Image    string       `json:"image" doc:"URL, empty when there is none." example:"/api/images/019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	Pictures []string     `json:"pictures" doc:"URLs of the pictures that a message about a delivery has, or a post after its first." example:"/api/images/019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	Price    *money.Cents `json:"price" nullable:"true" example:"100.01"`
	Category string       `json:"category" example:"Online Asset"`
	Rating   *int         `json:"rating" example:"5"`
	Facts    PostFacts    `json:"facts"`
	Username string       `json:"username" doc:"Of the author, or of the user." example:"rahim"`
}

func contentOf(c moderation.Content) ReportedContent {
	return ReportedContent{
		Title: c.Title, Text: c.Text, Image: c.Image(), Pictures: mapped(c.Pictures, images.URL), Price: c.Price,
		Category: c.Category, Rating: c.Rating, Facts: PostFacts(c.Facts), Username: c.Username,
	}
}

// CaseReport is one report of a case.
type CaseReport struct {
	ID        uuid.UUID  `json:"_id"`
	Reporter  PublicUser `json:"reporter"`
	Reason    string     `json:"reason" enum:"scam,off_platform,abuse,sexual,illegal,impersonation,spam,false_review,other"`
	Text      string     `json:"text" example:"They ask for payment outside of Amanat."`
	CreatedAt time.Time  `json:"createdAt"`
}

// FormerDecision is another decision about the accused.
type FormerDecision struct {
	ID         uuid.UUID `json:"_id"`
	Action     string    `json:"action" enum:"warn,hide,suspend,ban"`
	Reason     string    `json:"reason" example:"You asked for payment outside of Amanat."`
	DecidedAt  time.Time `json:"decidedAt"`
	Overturned bool      `json:"overturned" doc:"By an appeal."`
}

func (s *Server) adminCase(ctx context.Context, _ *IDPath) (*output[AdminCaseDetail], error) {
	found, err := s.moderation.Detail(ctx, actor(ctx).ID, pathID(ctx))
	if err != nil {
		return nil, err
	}
	wire := AdminCaseDetail{
		AdminCase: adminCaseOf(found.Case), Snapshot: contentOf(found.Snapshot), Context: []chat.DirectMessage{},
		ReportList: mapped(found.Listed, func(r moderation.CaseReport) CaseReport {
			return CaseReport{ID: r.ID, Reporter: publicUserOf(r.Reporter), Reason: string(r.Reason), Text: r.Text, CreatedAt: r.CreatedAt}
		}),
		History: mapped(found.History, func(d moderation.FormerDecision) FormerDecision {
			return FormerDecision{ID: d.ID, Action: string(d.Action), Reason: d.Reason, DecidedAt: d.DecidedAt, Overturned: d.Overturned}
		}),
	}
	if found.Current != nil {
		current := contentOf(*found.Current)
		wire.Current = orNull(&current)
	}
	if found.Subject == moderation.Message {
		wire.Context, err = s.chat.InspectAround(ctx, actor(ctx).ID, found.SubjectID)
	}
	return respond(wire), err
}

// CaseHandled is the answer to an admin's action on a case.
type CaseHandled struct {
	catalog.Outcome
	Case AdminCase `json:"case"`
}

func (s *Server) adminCaseClaim(ctx context.Context, _ *IDPath) (*output[CaseHandled], error) {
	claimed, err := s.moderation.Claim(ctx, actor(ctx).ID, pathID(ctx))
	return respond(CaseHandled{moderation.OutcomeClaimed, adminCaseOf(claimed)}), err
}

// DecideBody is the body of a decision.
type DecideBody struct {
	Action string `json:"action" enum:"dismiss,warn,hide,suspend,ban"`
	Reason string `json:"reason,omitempty" doc:"The user reads it; at most 1,000 characters. Required, except to dismiss." example:"You asked for payment outside of Amanat."`
	Days   int    `json:"days,omitempty" doc:"Of a suspension, 1 to 365." example:"7"`
}

// DecideInput decides a case.
type DecideInput struct {
	IDPath
	Payload Payload[DecideBody]
}

func (s *Server) adminCaseDecide(ctx context.Context, in *DecideInput) (*Settled[CaseHandled], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	ruling := moderation.Ruling{Action: moderation.Action(body.Action), Reason: body.Reason, Days: body.Days}
	decided, err := s.moderation.Decide(ctx, actor(ctx).ID, pathID(ctx), ruling, callOf(ctx).key)
	return settledWith(CaseHandled{moderation.OutcomeDecided, adminCaseOf(decided)}), err
}

// DecideAppealBody is the body of a decision about an appeal.
type DecideAppealBody struct {
	Overturn bool   `json:"overturn" doc:"Withdraw the decision and undo what it has done."`
	Answer   string `json:"answer" doc:"The user reads it; 1 to 1,000 characters." example:"You are right, we are sorry."`
}

// DecideAppealInput decides about an appeal.
type DecideAppealInput struct {
	IDPath
	Payload Payload[DecideAppealBody]
}

func (s *Server) adminCaseAppeal(ctx context.Context, in *DecideAppealInput) (*Settled[CaseHandled], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	ruling := moderation.AppealRuling{Overturn: body.Overturn, Answer: body.Answer}
	decided, err := s.moderation.DecideAppeal(ctx, actor(ctx).ID, pathID(ctx), ruling, callOf(ctx).key)
	return settledWith(CaseHandled{moderation.OutcomeAppealDecided, adminCaseOf(decided)}), err
}
