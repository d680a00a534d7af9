// Package user defines the public part of a user's profile.
package user

import "github.com/google/uuid"

// Ref identifies a user to other users.
type Ref struct {
	ID       uuid.UUID `json:"_id"`
	Username string    `json:"username" example:"rahim"`
	// ProfilePic is a URL, "" if the user has no picture.
	ProfilePic string `json:"profilePic" example:"/api/images/019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	// IsStaff marks the provider's own people, so that nobody else can pose as one of them
	// (docs/rules.md#staff).
	IsStaff bool `json:"isStaff" doc:"Works for Amanat: show the mark beside the name."`
	// Closed says that the account is closed, so the username is a pseudonym and there is no
	// profile (docs/rules.md#close-account).
	Closed bool `json:"closed,omitempty" doc:"The account is closed: the username is a pseudonym and there is no profile."`
	// AwayUntil is the last day on which the user is away, as in 2026-12-03 in Asia/Dhaka, "" if
	// they have set none. It may be past (docs/rules.md#away).
	AwayUntil string `json:"awayUntil,omitempty" doc:"The last day on which they are away, YYYY-MM-DD in Asia/Dhaka; may be past. Never with the parties of a deal." example:"2026-12-03"`
}

// SQLRef returns the SQL expression that is read as a Ref, of the user with the table alias u. pgx
// reads a record into a struct, whose fields it has in their order.
func SQLRef(u string) string {
	return "row(" + u + ".id, " + u + ".username, " + u + ".profile_pic, " + u + ".is_admin, " + u + ".closed_at is not null, " +
		"coalesce(" + u + ".away_until::text, ''))"
}

// SQLRefOrNull is SQLRef for an outer join. It is read as a *Ref.
func SQLRefOrNull(u string) string {
	return "case when " + u + ".id is not null then " + SQLRef(u) + " end"
}
