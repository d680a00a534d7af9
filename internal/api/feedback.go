package api

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"amanat/internal/feedback"
)

func (s *Server) registerFeedback() {
	const tag = "Feedback"
	registerKeyed(s, endpoint{
		id: "bug-report", method: http.MethodPost, path: "/auth/bug-report", tag: tag, access: visitor, status: http.StatusCreated,
		summary: "Report something that does not work", bounds: []bound{perAddress("feedback", s.limits.FeedbackLimit)},
	}, false, s.reportBug)
	registerKeyed(s, endpoint{
		id: "contact", method: http.MethodPost, path: "/contact", tag: tag, access: visitor, status: http.StatusCreated,
		summary: "Write to the provider", bounds: []bound{perAddress("feedback", s.limits.FeedbackLimit)},
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

// author is who writes, as far as he is known.
func author(ctx context.Context) feedback.Author {
	user := actor(ctx)
	return feedback.Author{ID: user.ID, Username: user.Username, Email: user.Email}
}

// BugReportBody is the body of a bug report.
type BugReportBody struct {
	Name        string `json:"name,omitempty"`
	Email       string `json:"email,omitempty"`
	Subject     string `json:"subject"`
	Description string `json:"description"`
}

func (s *Server) reportBug(ctx context.Context, in *struct{ Payload Payload[BugReportBody] }) (*Settled[Message], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	err = s.feedback.Report(ctx, author(ctx), feedback.BugReport{
		Name: body.Name, Email: body.Email, Subject: body.Subject, Description: body.Description,
	}, callOf(ctx).key)
	return &Settled[Message]{Status: http.StatusCreated, Body: Message{feedback.MessageReported}}, err
}

// ContactBody is the body of a message to the provider.
type ContactBody struct {
	Name    string `json:"name"`
	Email   string `json:"email"`
	Message string `json:"message"`
}

func (s *Server) contact(ctx context.Context, in *struct{ Payload Payload[ContactBody] }) (*Settled[Message], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	err = s.feedback.Contact(ctx, author(ctx), feedback.ContactMessage{
		Name: body.Name, Email: body.Email, Message: body.Message,
	}, callOf(ctx).key)
	return &Settled[Message]{Status: http.StatusCreated, Body: Message{feedback.MessageSent}}, err
}

// BugReport is a bug report as admins see it.
type BugReport struct {
	ID          uuid.UUID `json:"_id"`
	Subject     string    `json:"subject"`
	Description string    `json:"description"`
	ReportedBy  string    `json:"reportedBy" doc:"Username; empty when nobody was signed in."`
	Name        string    `json:"name"`
	Email       string    `json:"email"`
	CreatedAt   time.Time `json:"createdAt"`
}

type bugReportsOutput struct {
	Total int `header:"X-Total-Count"`
	Body  []BugReport
}

func (s *Server) adminBugReports(ctx context.Context, in *Paged) (*bugReportsOutput, error) {
	slice, err := in.sliceOrAll()
	if err != nil {
		return nil, err
	}
	list, total, err := s.feedback.BugReports(ctx, feedback.Page(slice))
	return &bugReportsOutput{Total: total, Body: mapped(list, func(r feedback.BugReport) BugReport {
		return BugReport{
			ID: r.ID, Subject: r.Subject, Description: r.Description, ReportedBy: r.ReportedBy, Name: r.Name, Email: r.Email,
			CreatedAt: r.CreatedAt,
		}
	})}, err
}

// ContactMessage is a message of the contact form as admins see it.
type ContactMessage struct {
	ID        uuid.UUID `json:"_id"`
	Name      string    `json:"name"`
	Email     string    `json:"email"`
	Message   string    `json:"message"`
	SentBy    string    `json:"sentBy" doc:"Username; empty when nobody was signed in."`
	CreatedAt time.Time `json:"createdAt"`
}

type contactMessagesOutput struct {
	Total int `header:"X-Total-Count"`
	Body  []ContactMessage
}

func (s *Server) adminContactMessages(ctx context.Context, in *Paged) (*contactMessagesOutput, error) {
	slice, err := in.sliceOrAll()
	if err != nil {
		return nil, err
	}
	list, total, err := s.feedback.ContactMessages(ctx, feedback.Page(slice))
	return &contactMessagesOutput{Total: total, Body: mapped(list, func(m feedback.ContactMessage) ContactMessage {
		return ContactMessage{ID: m.ID, Name: m.Name, Email: m.Email, Message: m.Message, SentBy: m.SentBy, CreatedAt: m.CreatedAt}
	})}, err
}
