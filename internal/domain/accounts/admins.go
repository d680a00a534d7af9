package accounts

import (
	"context"

	"amanat/internal/platform/catalog"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
	"amanat/internal/queue/jobs"
)

// GrantAdmin makes a user an admin and notifies all admins. It is for the operator's command line
// only and requires the database owner's login: the api's login may not write this column. Codes:
// NotFound, and Conflict if the password must be made stronger first.
func (s *Service) GrantAdmin(ctx context.Context, username string) (User, error) {
	return s.setAdmin(ctx, "user.grant_admin", username, true, catalog.AdminGranted)
}

// RevokeAdmin removes a user's admin role and notifies the other admins; the user stays signed in.
// It is for the operator's command line only and requires the database owner's login. Code
// NotFound.
func (s *Service) RevokeAdmin(ctx context.Context, username string) (User, error) {
	return s.setAdmin(ctx, "user.revoke_admin", username, false, catalog.AdminRevoked)
}

func (s *Service) setAdmin(ctx context.Context, action, username string, admin bool, notice catalog.Kind) (User, error) {
	return s.operate(ctx, action, func(tx *postgres.Tx) (User, error) {
		user, err := setAdmin(ctx, tx, normalUsername(username), admin)
		if err == nil && admin && s.strongAdmins && !user.PasswordStrong {
			return User{}, fault.Newf(fault.Conflict, "admin_password_needed", "{name} has to set a password of at least {count} characters first.",
				fault.Params{"name": user.Username, "count": MinAdminPassword})
		}
		if err != nil || s.jobs == nil {
			return user, err
		}
		_, err = s.jobs.InsertTx(ctx, tx, jobs.AdminNotice{
			NoticeKind: string(notice), Params: catalog.Params{"username": user.Username}, AboutID: &user.ID, SubjectID: user.ID,
			Link: "/admin/users",
		}, nil)
		return user, err
	})
}
