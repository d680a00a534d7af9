package api

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"amanat/internal/fault"
	"amanat/internal/party"
	"amanat/internal/reports"
)

func (s *Server) registerAdminAudit() {
	register(s, endpoint{
		id: "admin-audit", method: http.MethodGet, path: "/admin/audit", tag: adminTag, access: admin,
		summary: "What admins and operators did, newest first",
	}, s.auditLog)
	register(s, endpoint{
		id: "admin-messages", method: http.MethodGet, path: "/admin/messages/by-users/{userId1}/{userId2}", tag: adminTag, access: admin,
		summary: "Messages of two users with each other; every look is in the audit log",
		codes:   []fault.Code{fault.NotFound},
	}, s.adminMessages)
}

// AuditEntry is something that an admin or an operator did.
type AuditEntry struct {
	ID      int64                 `json:"_id"`
	At      time.Time             `json:"at"`
	Actor   Nullable[party.Party] `json:"actor" doc:"null: the operator's command line."`
	Action  string                `json:"action" doc:"Such as deposit.approve."`
	Subject string                `json:"subject" doc:"Such as deposit:{id}."`
	Details map[string]any        `json:"details" doc:"What a reviewer needs, by action."`
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
	ActorID string `query:"actorId" doc:"What one admin did."`
	Action  string `query:"action"`
	Subject string `query:"subject" doc:"What was done with one thing, such as deal:{id}."`
}

type auditListOutput struct {
	Total int `header:"X-Total-Count"`
	Body  []AuditEntry
}

func (s *Server) auditLog(ctx context.Context, in *AuditInput) (*auditListOutput, error) {
	slice, err := in.sliceOrAll()
	if err != nil {
		return nil, err
	}
	filter := reports.AuditFilter{Action: strings.TrimSpace(in.Action), Subject: strings.TrimSpace(in.Subject)}
	if filter.Period, err = in.period(); err != nil {
		return nil, err
	}
	if text := strings.TrimSpace(in.ActorID); text != "" {
		id, _ := parseID(text) // half an id, or something else: nobody's
		filter.ActorID = &id
	}
	list, total, err := s.reports.Audit(ctx, filter, reports.Page(slice))
	if err != nil {
		return nil, err
	}
	entries, err := mappedOrFail(list, auditEntryOf)
	return &auditListOutput{Total: total, Body: entries}, err
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
