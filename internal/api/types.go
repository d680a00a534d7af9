package api

import (
	"time"

	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/domain/accounts"
	"amanat/internal/money"
)

// LinkBody is the body of a call that uses a mailed link.
type LinkBody struct {
	Token string `json:"token" example:"Vb1nYk3sQ0e7T9uWxZ2c4d6f8g"`
}

// Message is an answer that only confirms an action.
type Message struct {
	catalog.Outcome
}

// User is a user's own account.
type User struct {
	user.Ref
	Email        string      `json:"email" example:"rahim@example.com"`
	IsAdmin      bool        `json:"isAdmin"`
	IsVerified   bool        `json:"isVerified" example:"true"`
	Wallet       money.Cents `json:"wallet" example:"399.99"`
	CreatedAt    time.Time   `json:"createdAt"`
	Language     string      `json:"language" enum:"en,bn"`
	SecondFactor bool        `json:"secondFactor" doc:"Whether a login takes a second step."`
	EventSeq     int64       `json:"eventSeq" doc:"Head of the user's event log: what a first socket is opened with, as since." example:"42"`
	Terms        Terms       `json:"terms"`
}

// Terms is what a user has accepted of the terms and the privacy policy.
type Terms struct {
	AcceptedVersion string    `json:"acceptedVersion" doc:"The latest one." example:"2026-11-01"`
	AcceptedAt      time.Time `json:"acceptedAt"`
	CurrentVersion  string    `json:"currentVersion" doc:"What people are asked to accept now." example:"2026-11-01"`
}

// Me is User with the fields of /auth/me.
type Me struct {
	User
	ReferralCode string `json:"referralCode" example:"K7M2PQ9X"`
	MailNotices  bool   `json:"mailNotices" doc:"Whether notices of money also come as mail." example:"true"`
	// PendingEmail is null if no change of the address waits for its link.
	PendingEmail *string `json:"pendingEmail" doc:"The new address whose link has not been opened; null if there is none." example:"rahim.new@example.com"`
}

func userOf(u accounts.User, own accounts.Own) User {
	return User{
		Ref: u.Ref(), Email: u.Email, IsAdmin: u.IsAdmin, IsVerified: u.IsVerified, Wallet: own.Balance,
		CreatedAt: u.CreatedAt, Language: u.Language, SecondFactor: u.SecondFactor, EventSeq: own.EventSeq,
		Terms: Terms{
			AcceptedVersion: own.Consent.Version, AcceptedAt: own.Consent.AcceptedAt, CurrentVersion: accounts.CurrentTerms(),
		},
	}
}

// mapped returns a list of wire values, never null.
func mapped[A, B any](list []A, convert func(A) B) []B {
	converted := make([]B, len(list))
	for i, item := range list {
		converted[i] = convert(item)
	}
	return converted
}

// orEmpty returns a list of wire values, never null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// mappedOrFail is mapped with a conversion that may fail.
func mappedOrFail[A, B any](list []A, convert func(A) (B, error)) ([]B, error) {
	converted := make([]B, len(list))
	for i, item := range list {
		var err error
		if converted[i], err = convert(item); err != nil {
			return nil, err
		}
	}
	return converted, nil
}
