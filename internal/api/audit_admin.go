package api

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"amanat/internal/app/user"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/fault"
)

func (s *Server) registerAdminAudit() {
	register(s, endpoint{
		id: "admin-audit", method: http.MethodGet, path: "/admin/audit", tag: adminTag, access: admin,
		summary: "What admins and operators did, newest first",
	}, s.auditLog)
	register(s, endpoint{
		id: "admin-messages", method: http.MethodGet, path: "/admin/messages/by-users/{userId1}/{userId2}",
		tag: adminTag, access: reauthenticated,
		summary: "Messages of two users with each other; every look is in the audit log",
		codes:   []fault.Code{fault.NotFound},
	}, s.adminMessages)
}

// AuditEntry is an action of an admin or operator.
type AuditEntry struct {
	ID      int64              `json:"_id" example:"1"`
	At      time.Time          `json:"at"`
	Actor   Nullable[user.Ref] `json:"actor" doc:"null: the operator's command line."`
	Action  string             `json:"action" doc:"Such as deposit.approve." example:"deposit_approved"`
	Subject string             `json:"subject" doc:"Such as deposit:{id}." example:"deal:019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	Details map[string]any     `json:"details" doc:"What a reviewer needs, by action."`
}

func auditEntryOf(e reports.AuditEntry) (AuditEntry, error) {
	wire := AuditEntry{ID: e.ID, At: e.At, Actor: orNull(e.Actor), Action: e.Action, Subject: e.Subject, Details: map[string]any{}}
	if err := json.Unmarshal(e.Details, &wire.Details); err != nil {
		return AuditEntry{}, fmt.Errorf("details of audit entry %d: %w", e.ID, err)
	}
	return wire, nil
}

// AuditInput is the query of the audit log.
type AuditInput struct {
	Paged
	Dates
	ActorID string `query:"actorId" doc:"What one admin did." example:"019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	Action  string `query:"action" example:"deposit_approved"`
	Subject string `query:"subject" doc:"What was done with one thing, such as deal:{id}." example:"deal:019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
}

type auditListOutput struct {
	Total
	Body []AuditEntry
}

func (s *Server) auditLog(ctx context.Context, in *AuditInput) (*auditListOutput, error) {
	slice, err := in.sliceOrFirst()
	if err != nil {
		return nil, err
	}
	filter := reports.AuditFilter{Action: strings.TrimSpace(in.Action), Subject: strings.TrimSpace(in.Subject)}
	if filter.Period, err = in.period(); err != nil {
		return nil, err
	}
	if text := strings.TrimSpace(in.ActorID); text != "" {
		id, _ := parseID(text) // a malformed id matches no user
		filter.ActorID = &id
	}
	list, total, err := s.reports.Audit(ctx, filter, slice)
	if err != nil {
		return nil, err
	}
	entries, err := mappedOrFail(list, auditEntryOf)
	return &auditListOutput{Total: Total{total}, Body: entries}, err
}

// AdminMessagesInput names two users.
type AdminMessagesInput struct {
	HistoryQuery
	UserID1 string `path:"userId1" format:"uuid"`
	UserID2 string `path:"userId2" format:"uuid"`
}

func (s *Server) adminMessages(ctx context.Context, in *AdminMessagesInput) (*output[MessageHistory], error) {
	one, err := parseID(in.UserID1)
	if err != nil {
		return nil, err
	}
	other, err := parseID(in.UserID2)
	if err != nil {
		return nil, err
	}
	before, err := in.read()
	if err != nil {
		return nil, cmp.Or(s.userExists(ctx, one), s.userExists(ctx, other), err)
	}
	seen, err := s.chat.Inspect(ctx, actor(ctx).ID, one, other, before)
	return respond(MessageHistory(seen)), err
}
