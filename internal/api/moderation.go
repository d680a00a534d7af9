package api

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/moderation"
	"amanat/internal/lib/fault"
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
