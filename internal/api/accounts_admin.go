package api

import (
	"context"
	"net/http"
	"time"

	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
)

func (s *Server) registerAdminUsers() {
	register(s, endpoint{
		id: "admin-users", method: http.MethodGet, path: "/admin/users", tag: adminTag, access: admin,
		summary: "All users with what they have, newest first",
	}, s.adminUsers)
	register(s, endpoint{
		id: "admin-user-search", method: http.MethodGet, path: "/admin/users/search", tag: adminTag, access: admin,
		summary: "Users by a part of username or e-mail address, of at least two characters",
	}, s.adminUserSearch)
	register(s, endpoint{
		id: "admin-user", method: http.MethodGet, path: "/admin/users/{id}", tag: adminTag, access: admin,
		summary: "One user with deals and sessions counted", visible: known(s.reports.Person),
	}, s.adminUser)
	register(s, endpoint{
		id: "admin-user-disable", method: http.MethodPost, path: "/admin/users/{id}/disable", tag: adminTag, access: reauthenticated,
		summary: "Lock a user out and end the sessions", visible: known(s.reports.Person),
	}, s.adminUserDisable)
	register(s, endpoint{
		id: "admin-user-enable", method: http.MethodPost, path: "/admin/users/{id}/enable", tag: adminTag, access: reauthenticated,
		summary: "Let a disabled user in again", visible: known(s.reports.Person), codes: []fault.Code{fault.Conflict},
	}, s.adminUserEnable)
}

// AdminUser is a user as shown to admins.
type AdminUser struct {
	user.Ref
	Email      string      `json:"email" example:"rahim@example.com"`
	IsAdmin    bool        `json:"isAdmin"`
	IsVerified bool        `json:"isVerified" example:"true"`
	CreatedAt  time.Time   `json:"createdAt"`
	DisabledAt *time.Time  `json:"disabledAt"`
	Wallet     money.Cents `json:"wallet" doc:"USD to spend." example:"399.99"`
	InEscrow   money.Cents `json:"inEscrow" doc:"USD paid into open deals." example:"100.01"`
	Deposited  money.Cents `json:"totalDeposited" doc:"USD credited in all." example:"500"`
	Withdrawn  money.Cents `json:"totalWithdrawn" doc:"USD paid out in all." example:"50.5"`
	Deals      int         `json:"totalDeals" example:"1"`
}

func adminUserOf(p reports.Person) AdminUser {
	return AdminUser{
		Ref:   user.Ref{ID: p.ID, Username: p.Username, ProfilePic: p.ProfilePic, IsStaff: p.IsAdmin, Closed: p.Closed},
		Email: p.Email, IsAdmin: p.IsAdmin, IsVerified: p.IsVerified, CreatedAt: p.CreatedAt,
		DisabledAt: p.DisabledAt, Wallet: p.Wallet, InEscrow: p.InEscrow, Deposited: p.Deposited, Withdrawn: p.Withdrawn, Deals: p.Deals,
	}
}

type adminUserListOutput struct {
	Total
	Body []AdminUser
}

func (s *Server) adminUsers(ctx context.Context, in *Paged) (*adminUserListOutput, error) {
	slice, err := in.sliceOrFirst()
	if err != nil {
		return nil, err
	}
	list, total, err := s.reports.People(ctx, slice)
	return &adminUserListOutput{Total: Total{total}, Body: mapped(list, adminUserOf)}, err
}

// AdminUserRecord is the details of a user for admins.
type AdminUserRecord struct {
	AdminUser
	PendingWithdrawal money.Cents `json:"pendingWithdrawal" doc:"USD asked for and not yet sent." example:"50.5"`
	OpenDeals         int         `json:"openDeals" example:"0"`
	CompletedDeals    int         `json:"completedDeals" example:"1"`
	CancelledDeals    int         `json:"cancelledDeals" example:"0"`
	Sessions          int         `json:"sessions" doc:"That have not run out." example:"1"`
	LastSeenAt        *time.Time  `json:"lastSeenAt" doc:"In one of the sessions; null without."`
}

func (s *Server) adminUser(ctx context.Context, _ *IDPath) (*output[AdminUserRecord], error) {
	person, err := s.reports.Person(ctx, pathID(ctx))
	if err != nil {
		return nil, err
	}
	record, err := s.reports.Record(ctx, person.ID)
	if err != nil {
		return nil, err
	}
	sessions, err := s.accounts.Sessions(ctx, person.ID)
	shown := AdminUserRecord{
		AdminUser: adminUserOf(person), PendingWithdrawal: record.PendingWithdrawal, OpenDeals: record.OpenDeals,
		CompletedDeals: record.CompletedDeals, CancelledDeals: record.CancelledDeals, Sessions: len(sessions),
	}
	if len(sessions) > 0 {
		shown.LastSeenAt = &sessions[0].LastSeenAt // sorted by last use
	}
	return respond(shown), err
}

// AdminUserSearchInput is the query of /admin/users/search.
type AdminUserSearchInput struct {
	Paged
	Query string `query:"query" example:"rah"`
}

func (s *Server) adminUserSearch(ctx context.Context, in *AdminUserSearchInput) (*adminUserListOutput, error) {
	slice, err := in.sliceOrFirst()
	if err != nil {
		return nil, err
	}
	list, total, err := s.reports.SearchPeople(ctx, in.Query, slice)
	return &adminUserListOutput{Total: Total{total}, Body: mapped(list, adminUserOf)}, err
}

// DisableBody is the body that disables a user.
type DisableBody struct {
	Reason string `json:"reason,omitempty" doc:"For the audit log; at most 500 characters." example:"The payment was of another amount."`
}

// DisableInput disables a user.
type DisableInput struct {
	IDPath
	Payload Payload[DisableBody]
}

// UserHandled is the answer to an admin's action on a user.
type UserHandled struct {
	catalog.Outcome
	User AdminUser `json:"user"`
}

func (s *Server) adminUserDisable(ctx context.Context, in *DisableInput) (*output[UserHandled], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	if err := s.accounts.DisableUser(ctx, actor(ctx).ID, pathID(ctx), body.Reason); err != nil {
		return nil, err
	}
	return s.userHandled(ctx, catalog.Outcome{Code: "user_disabled", Message: "User disabled"})
}

func (s *Server) adminUserEnable(ctx context.Context, _ *IDPath) (*output[UserHandled], error) {
	if err := s.accounts.EnableUser(ctx, actor(ctx).ID, pathID(ctx)); err != nil {
		return nil, err
	}
	return s.userHandled(ctx, catalog.Outcome{Code: "user_enabled", Message: "User enabled"})
}

func (s *Server) userHandled(ctx context.Context, done catalog.Outcome) (*output[UserHandled], error) {
	person, err := s.reports.Person(ctx, pathID(ctx))
	return respond(UserHandled{done, adminUserOf(person)}), err
}
