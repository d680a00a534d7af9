package accounts

import (
	"context"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/queue/jobs"
)

// GrantAdmin makes a user an admin and notifies all admins. now is why it cannot wait until the
// user's second factor is a day old, as for the first admin; "" if it can. It is for the operator's
// command line only and requires the database owner's login: the api's login may not write this
// column. Codes: NotFound, and Conflict if the password must be made stronger, or the second factor
// be set up, first.
func (s *Service) GrantAdmin(ctx context.Context, username, now string) (User, error) {
	return s.setAdmin(ctx, "user.grant_admin", now, username, true, catalog.AdminGranted)
}

// RevokeAdmin removes a user's admin role and notifies the other admins; the user stays signed in.
// It is for the operator's command line only and requires the database owner's login. Code
// NotFound.
func (s *Service) RevokeAdmin(ctx context.Context, username string) (User, error) {
	return s.setAdmin(ctx, "user.revoke_admin", "", username, false, catalog.AdminRevoked)
}

func (s *Service) setAdmin(ctx context.Context, action, why, username string, admin bool, notice catalog.Kind) (User, error) {
	return s.operateFor(ctx, action, why, func(tx *postgres.Tx) (User, error) {
		user, err := setAdmin(ctx, tx, normalUsername(username), admin)
		if err == nil && admin && s.strongAdmins {
			err = s.checkNewAdmin(ctx, tx, user, why)
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

// checkNewAdmin returns a Conflict if the user's password is too short for an admin, or unless
// there is a reason why, their second factor is off or less than a day old.
func (s *Service) checkNewAdmin(ctx context.Context, tx *postgres.Tx, user User, why string) error {
	if !user.PasswordStrong {
		return fault.Newf(fault.Conflict, "admin_password_needed", "{name} has to set a password of at least {count} characters first.",
			fault.Params{"name": user.Username, "count": MinAdminPassword})
	}
	if why != "" {
		return nil
	}
	r, err := findRecent(ctx, tx, user.ID, "")
	if err == nil && !s.settled(user, r) {
		err = fault.Newf(fault.Conflict, "admin_factor_needed",
			"{name} has to set up two-step login first, at least a day before. If it cannot wait, say why with -now.",
			fault.Params{"name": user.Username})
	}
	return err
}
