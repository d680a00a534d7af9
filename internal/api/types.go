package api

import (
	"time"

	"amanat/internal/accounts"
	"amanat/internal/money"
	"amanat/internal/party"
)

// Message is an answer that says only that something was done.
type Message struct {
	Message string `json:"message"`
}

// User is a person's own account.
type User struct {
	party.Party
	Email      string      `json:"email"`
	IsAdmin    bool        `json:"isAdmin"`
	IsVerified bool        `json:"isVerified"`
	Wallet     money.Cents `json:"wallet"`
	CreatedAt  time.Time   `json:"createdAt"`
	Language   string      `json:"language" enum:"en,bn"`
	EventSeq   int64       `json:"eventSeq" doc:"Head of the user's event log: what a first socket is opened with, as since."`
}

// Me is User with what only /auth/me tells.
type Me struct {
	User
	ReferralCode string `json:"referralCode"`
	MailNotices  bool   `json:"mailNotices" doc:"Whether notices of money also come as mail."`
}

func userOf(u accounts.User, wallet money.Cents) User {
	return User{
		Party: u.Party(), Email: u.Email, IsAdmin: u.IsAdmin, IsVerified: u.IsVerified, Wallet: wallet,
		CreatedAt: u.CreatedAt, Language: u.Language, EventSeq: u.EventSeq,
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
