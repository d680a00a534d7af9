// Package user holds what others may see of a user, the same on every page.
package user

import "github.com/google/uuid"

// Ref identifies a user to others.
type Ref struct {
	ID         uuid.UUID `json:"_id"`
	Username   string    `json:"username" example:"rahim"`
	ProfilePic string    `json:"profilePic" example:"/api/images/019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"` // URL, "" when none
}
