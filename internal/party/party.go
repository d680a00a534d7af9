// Package party holds what others may see of a person, the same wherever people are shown.
package party

import "github.com/google/uuid"

// Party is a person as others see him.
type Party struct {
	ID         uuid.UUID `json:"_id"`
	Username   string    `json:"username"`
	ProfilePic string    `json:"profilePic"` // URL, "" when none
}
