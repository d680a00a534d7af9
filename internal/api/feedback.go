package api

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"amanat/internal/domain/feedback"
)

func (s *Server) registerFeedback() {
	const tag = "Feedback"
	registerIdempotent(s, endpoint{
		id: "bug-report", method: http.MethodPost, path: "/auth/bug-report", tag: tag, access: visitor, status: http.StatusCreated,
		summary: "Report something that does not work", rateLimits: []rateLimit{perAddress("feedback", s.limits.FeedbackLimit)},
	}, false, s.reportBug)
	registerIdempotent(s, endpoint{
		id: "contact", method: http.MethodPost, path: "/contact", tag: tag, access: visitor, status: http.StatusCreated,
		summary: "Write to the provider", rateLimits: []rateLimit{perAddress("feedback", s.limits.FeedbackLimit)},
	}, false, s.contact)
	register(s, endpoint{
		id: "admin-bug-reports", method: http.MethodGet, path: "/admin/bug-reports", tag: adminTag, access: admin,
		summary: "Bug reports, newest first",
	}, s.adminBugReports)
	register(s, endpoint{
		id: "admin-contact-messages", method: http.MethodGet, path: "/admin/contact-messages", tag: adminTag, access: admin,
		summary: "Messages of the contact form, newest first",
	}, s.adminContactMessages)
}

// author returns the sender, as far as they are known.
func author(ctx context.Context) feedback.Author {
	user := actor(ctx)
	return feedback.Author{ID: callOf(ctx).userID(), Username: user.Username, Email: user.Email}
}

// BugReportBody is the body of a bug report.
type BugReportBody struct {
	Name        string `json:"name,omitempty" example:"Rahim Uddin"`
	Email       string `json:"email,omitempty" example:"rahim@example.com"`
	Subject     string `json:"subject" example:"deal:019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	Description string `json:"description" example:"A cooking channel with 12,000 subscribers."`
}

func (s *Server) reportBug(ctx context.Context, in *struct{ Payload Payload[BugReportBody] }) (*Settled[Message], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	err = s.feedback.Report(ctx, author(ctx), feedback.BugReport{
		Name: body.Name, Email: body.Email, Subject: body.Subject, Description: body.Description,
	}, callOf(ctx).key)
	return settledWith(Message{feedback.OutcomeReported}), err
}

// ContactBody is the body of a message to the platform.
type ContactBody struct {
	Name    string `json:"name" example:"Rahim Uddin"`
	Email   string `json:"email" example:"rahim@example.com"`
	Message string `json:"message" example:"Done."`
}

func (s *Server) contact(ctx context.Context, in *struct{ Payload Payload[ContactBody] }) (*Settled[Message], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	err = s.feedback.Contact(ctx, author(ctx), feedback.ContactMessage{
		Name: body.Name, Email: body.Email, Message: body.Message,
	}, callOf(ctx).key)
	return settledWith(Message{feedback.OutcomeSent}), err
}

// BugReport is a bug report as shown to admins.
type BugReport struct {
	ID          uuid.UUID `json:"_id"`
	Subject     string    `json:"subject" example:"deal:019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	Description string    `json:"description" example:"A cooking channel with 12,000 subscribers."`
	ReportedBy  string    `json:"reportedBy" doc:"Username; empty when nobody was signed in." example:"rahim"`
	Name        string    `json:"name" example:"Rahim Uddin"`
	Email       string    `json:"email" example:"rahim@example.com"`
	CreatedAt   time.Time `json:"createdAt"`
}

type bugReportsOutput struct {
	Total
	Body []BugReport
}

func (s *Server) adminBugReports(ctx context.Context, in *PagedLong) (*bugReportsOutput, error) {
	slice, err := in.sliceOrFirst()
	if err != nil {
		return nil, err
	}
	list, total, err := s.feedback.BugReports(ctx, slice)
	return &bugReportsOutput{Total: Total{total}, Body: mapped(list, func(r feedback.BugReport) BugReport {
		return BugReport{
			ID: r.ID, Subject: r.Subject, Description: r.Description, ReportedBy: r.ReportedBy, Name: r.Name, Email: r.Email,
			CreatedAt: r.CreatedAt,
		}
	})}, err
}

// ContactMessage is a message of the contact form as shown to admins.
type ContactMessage struct {
	ID        uuid.UUID `json:"_id"`
	Name      string    `json:"name" example:"Rahim Uddin"`
	Email     string    `json:"email" example:"rahim@example.com"`
	Message   string    `json:"message" example:"Done."`
	SentBy    string    `json:"sentBy" doc:"Username; empty when nobody was signed in." example:"rahim"`
	CreatedAt time.Time `json:"createdAt"`
}

type contactMessagesOutput struct {
	Total
	Body []ContactMessage
}

func (s *Server) adminContactMessages(ctx context.Context, in *PagedLong) (*contactMessagesOutput, error) {
	slice, err := in.sliceOrFirst()
	if err != nil {
		return nil, err
	}
	list, total, err := s.feedback.ContactMessages(ctx, slice)
	return &contactMessagesOutput{Total: Total{total}, Body: mapped(list, func(m feedback.ContactMessage) ContactMessage {
		return ContactMessage{ID: m.ID, Name: m.Name, Email: m.Email, Message: m.Message, SentBy: m.SentBy, CreatedAt: m.CreatedAt}
	})}, err
}
