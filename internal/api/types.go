package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

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

// Bounds of an answer. It stays in memory until sent, so its size bounds the cost of a slow client.
const (
	maxAnswer     = 1 << 20
	answerPiece   = 32 << 10
	answerTimeout = 20 * time.Second // per piece sent
)

var errAnswerTooLarge = errors.New("the answer is larger than 1 MiB")

// encoded is the JSON of an answer.
type encoded []byte

// How long shared caches answer visitors with an answer. Visitors may see a post, a profile or a
// review for as long after it was changed, hidden or deleted.
const (
	sharedContent = 10 * time.Second
	maxShared     = 30 * time.Second
)

// share lets caches that many people use, such as a CDN, answer visitors with the answer, and
// returns notModifiedError if the visitor has it already. Browsers ask each time. A request with a
// session keeps its answer to itself, whoever the session is of: users see what they have changed,
// and because of Vary, a cache does not answer them with what a visitor got.
func (c *call) share(lifetime time.Duration, out any) error {
	if lifetime == 0 || c.token != "" {
		return nil
	}
	total := reflect.Indirect(reflect.ValueOf(out)).FieldByName("Total") // a header
	hash := sha256.New()
	_, _ = hash.Write(c.answer)
	_, _ = fmt.Fprint(hash, total)
	tag := `"` + hex.EncodeToString(hash.Sum(nil)[:16]) + `"`
	c.header.Set("Cache-Control", fmt.Sprintf("public, max-age=0, s-maxage=%.0f", lifetime.Seconds()))
	c.header.Set("ETag", tag)
	c.header.Add("Vary", "Cookie")
	for known := range strings.SplitSeq(c.ifNoneMatch, ",") {
		if known = strings.TrimPrefix(strings.TrimSpace(known), "W/"); known == tag || known == "*" {
			return notModifiedError{}
		}
	}
	return nil
}

// notModifiedError is the response without a body to a visitor who has the answer.
type notModifiedError struct{}

// Error implements error.
func (notModifiedError) Error() string { return "not modified" }

// GetStatus implements huma.StatusError.
func (notModifiedError) GetStatus() int { return http.StatusNotModified }

// partial is a body that may omit rows, because it says where the next ones start.
type partial interface {
	rowCount() int
	row(i int) any   // in the order of priority
	first(n int) any // the same body with n rows
}

// encodeAnswer encodes a handler's output as JSON. If a list is too large, rows are dropped from
// its end; X-Total-Count, or the body's continuation, tells the client that there are more. Any
// other output that is too large is an error.
func (s *Server) encodeAnswer(ctx context.Context, out any) error {
	field := reflect.Indirect(reflect.ValueOf(out)).FieldByName("Body")
	if !field.IsValid() || field.Kind() == reflect.Func { // a function writes the body
		return nil
	}
	answer, err := encodeWithin(field.Interface(), maxAnswer)
	if errors.Is(err, errAnswerTooLarge) {
		s.logger.ErrorContext(ctx, "answer too large", "request_id", requestInfoOf(ctx).id, "user_id", actor(ctx).ID)
	}
	callOf(ctx).answer = answer
	return err
}

func encodeWithin(body any, most int) (encoded, error) {
	whole, err := encode(body)
	if err != nil || len(whole) <= most {
		return whole, err
	}
	rows, ok := body.(partial)
	if !ok {
		list := reflect.ValueOf(body)
		if list.Kind() != reflect.Slice {
			return nil, errAnswerTooLarge
		}
		rows = bareList{list}
	}
	fitting, err := countFitting(rows, most)
	if err != nil {
		return nil, err
	}
	return encode(rows.first(fitting))
}

// countFitting returns how many rows fit. It is an error if none does.
func countFitting(rows partial, most int) (int, error) {
	frame, err := encode(rows.first(0))
	if err != nil {
		return 0, err
	}
	n, size := 0, len(frame)+continuation
	for ; n < rows.rowCount(); n++ {
		row, err := encode(rows.row(n))
		if err != nil {
			return 0, err
		}
		if size += len(row); size > most { // its line feed counts for a comma
			break
		}
	}
	if n == 0 {
		return 0, errAnswerTooLarge
	}
	return n, nil
}

// continuation is room for the fields that say where the next rows start.
const continuation = 64

// bareList is a list that is the whole body.
type bareList struct{ list reflect.Value }

func (b bareList) rowCount() int   { return b.list.Len() }
func (b bareList) row(i int) any   { return b.list.Index(i).Interface() }
func (b bareList) first(n int) any { return b.list.Slice(0, n).Interface() }

func encode(value any) (encoded, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	return buffer.Bytes(), nil
}

// answerFormat is the JSON format for huma: it writes the body encoded by encodeAnswer.
var answerFormat = huma.Format{
	Marshal: func(w io.Writer, value any) error {
		answer, ok := value.(encoded)
		if !ok { // a failure
			var err error
			if answer, err = encode(value); err != nil {
				return err
			}
		}
		return writeAnswer(w, answer)
	},
	Unmarshal: json.Unmarshal,
}

// useEncoded replaces the body with the encoded answer, for huma.
func useEncoded(ctx huma.Context, _ string, body any) (any, error) {
	if answer := callOf(ctx.Context()).answer; answer != nil {
		return answer, nil
	}
	return body, nil
}

// writeAnswer writes an answer in pieces. The client must receive each in time, and all within the
// server's write timeout.
func writeAnswer(w io.Writer, answer encoded) error {
	elapsed := stopwatch()
	for len(answer) > 0 {
		piece := answer[:min(answerPiece, len(answer))]
		if response, ok := w.(http.ResponseWriter); ok {
			setWriteDeadline(response, max(min(answerTimeout, writeTimeout-elapsed()), time.Millisecond))
		}
		if _, err := w.Write(piece); err != nil {
			return err
		}
		answer = answer[len(piece):]
	}
	return nil
}
