package deals

import (
	"context"
	"crypto/rand"
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/mailer"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/sanitize"
	"amanat/internal/money"
	"amanat/internal/money/idempotency"
	"amanat/queue/jobs"
)

// Bounds of links to deals (docs/rules.md#deal-link).
const (
	inviteLasts = 7 * day
	maxInvites  = 20 // of a maker that wait at a time
	invitesKept = 30 * day
)

// Codes of links have ten characters that nobody takes for one another.
const (
	codeAlphabet = "23456789abcdefghjkmnpqrstuvwxyz"
	codeLength   = 10
)

func newCode() (string, error) {
	var code strings.Builder
	for range codeLength {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(len(codeAlphabet))))
		if err != nil {
			return "", fmt.Errorf("new code: %w", err)
		}
		code.WriteByte(codeAlphabet[n.Int64()])
	}
	return code.String(), nil
}

// normalCode returns a code that was typed or sent in any letter case as it is stored; "", which no
// link has, if it cannot be a code.
func normalCode(text string) string {
	code := strings.ToLower(text)
	if len(code) != codeLength || strings.ContainsFunc(code, func(r rune) bool { return !strings.ContainsRune(codeAlphabet, r) }) {
		return ""
	}
	return code
}

// Guest is whom a link to a deal is for: somebody with or without an account.
type Guest struct {
	Email, Phone string // "" if not known
}

var phonePattern = regexp.MustCompile(`^01[0-9]{9}$`)

func (g Guest) validate() error {
	switch {
	case g.Email != "" && !mailer.ValidAddress(g.Email):
		return fault.Field("email", "email_invalid", "Invalid email")
	case g.Phone != "" && !phonePattern.MatchString(g.Phone):
		return fault.Field("phone", "phone_malformed", "Phone number must start with '01' and be 11 digits.")
	}
	return nil
}

// Invite is a deal that waits for somebody who has its link.
type Invite struct {
	ID        uuid.UUID
	Code      string // of the link, /d/{code}
	Maker     user.Ref
	MakerBuys bool // else the maker sells
	Terms
	Fee           money.Cents `db:"-"`
	Guest                     // for the maker only
	CreatedAt     time.Time
	ExpiresAt     time.Time
	RevokedAt     *time.Time
	DealID        *uuid.UUID // once somebody has joined
	Joiner        *uuid.UUID
	makerDisabled bool
}

// Payout is what the seller receives on completion.
func (i Invite) Payout() money.Cents { return i.Price - i.Fee }

// draft returns the deal between the maker and whoever joins.
func (i Invite) draft(joiner uuid.UUID) Draft {
	draft := Draft{BuyerID: &joiner, SellerID: &i.Maker.ID, Terms: i.Terms}
	if i.MakerBuys {
		draft.BuyerID, draft.SellerID = draft.SellerID, draft.BuyerID
	}
	return draft
}

func errNoInvite() *fault.Error {
	return fault.New(fault.NotFound, "invite_not_found", "There is no such link. Ask whoever sent it for a new one.")
}

// check returns why nobody can join any more. Code NotFound.
func (i Invite) check(now time.Time) error {
	switch {
	case i.DealID != nil:
		return fault.New(fault.NotFound, "invite_used", "Someone has joined this deal already. Ask whoever sent the link for a new one.")
	case i.RevokedAt != nil:
		return fault.New(fault.NotFound, "invite_revoked", "Whoever made this link has cancelled it.")
	case !now.Before(i.ExpiresAt):
		return fault.New(fault.NotFound, "invite_expired", "This link has expired. Ask whoever sent it for a new one.")
	case i.makerDisabled:
		return errNoInvite()
	}
	return nil
}

// Invite makes a link with which one other person joins a deal of the actor, within seven days. If
// the guest's address is given, the link is mailed there. Codes: Invalid with the first rule that
// fails; Conflict if too many links of the actor wait, or if the actor is the buyer and may not pay
// such a price yet; IdempotencyMismatch. A replay returns the link that the key made.
func (s *Service) Invite(ctx context.Context, userID uuid.UUID, draft Draft, key *idempotency.Key) (Invite, error) {
	draft.Description = sanitize.Text(draft.Description)
	if err := draft.validate(userID); err != nil {
		return Invite{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Invite{}, err
	}
	made, err := idempotency.Create(ctx, s.DB, key, id, s.Clock.Now(), func(tx *postgres.Tx) error {
		return s.invite(ctx, tx, userID, id, draft)
	})
	if err != nil {
		return Invite{}, err
	}
	return getInvite(ctx, s.DB, made)
}

func (s *Service) invite(ctx context.Context, tx *postgres.Tx, userID, id uuid.UUID, draft Draft) error {
	now := s.Clock.Now()
	buys := draft.BuyerID != nil
	if buys {
		if err := s.Limits.CheckPrice(ctx, tx, userID, draft.Price); err != nil {
			return err
		}
	}
	switch waiting, err := countInvites(ctx, tx, userID, now); {
	case err != nil:
		return err
	case waiting >= maxInvites:
		return fault.New(fault.Conflict, "invites_waiting", "Twenty of your links wait for someone to join. Withdraw one of them first.")
	}
	code, err := newCode()
	if err != nil {
		return err
	}
	if err := insertInvite(ctx, tx, id, code, userID, buys, draft, now); err != nil {
		return err
	}
	if draft.Guest.Email == "" {
		return nil
	}
	mail := catalog.MailInviteSells
	if buys {
		mail = catalog.MailInviteBuys
	}
	if _, err := s.Jobs.InsertTx(ctx, tx, jobs.Mail{MailKind: string(mail), SubjectID: id}, nil); err != nil {
		return fmt.Errorf("enqueue an invitation: %w", err)
	}
	return nil
}

// FindInvite returns the deal that a link offers. Once somebody has joined, only the two parties
// see it; reader is nil for a visitor. Code NotFound, with a reason that says what became of the
// link.
func (s *Service) FindInvite(ctx context.Context, reader *uuid.UUID, code string) (Invite, error) {
	i, err := findInvite(ctx, s.DB, code)
	if err != nil {
		return Invite{}, err
	}
	if i.Joiner != nil && reader != nil && (*reader == *i.Joiner || *reader == i.Maker.ID) {
		return i, nil
	}
	return i, i.check(s.Clock.Now())
}

// ListInvites returns the links of a user that wait for somebody to join, at most twenty, newest
// first and with shortened descriptions.
func (s *Service) ListInvites(ctx context.Context, userID uuid.UUID) ([]Invite, error) {
	return listInvites(ctx, s.DB, userID, s.Clock.Now())
}

// RevokeInvite makes a link of the user useless. Doing it again changes nothing. Code NotFound,
// also for links of others and those with which somebody has joined.
func (s *Service) RevokeInvite(ctx context.Context, userID uuid.UUID, code string) error {
	revoked, err := revokeInvite(ctx, s.DB, userID, code, s.Clock.Now())
	if err == nil && !revoked {
		return errNoInvite()
	}
	return err
}

// RemoveOldInvites deletes links that ended long ago and returns how many. It is for workers.
func (s *Settler) RemoveOldInvites(ctx context.Context) (int64, error) {
	return deleteInvites.InBatches(ctx, s.DB, postgres.Args{"before": s.Clock.Now().Add(-invitesKept)}, invitesBatch)
}

// InviteMailer mails links. It is for workers.
type InviteMailer struct {
	DB        postgres.DB
	Clock     clock.Clock
	Mail      mailer.Sender
	PublicURL string // base of the links, without a trailing slash
}

// Send mails a link to its guest, in the maker's language and without the maker's own words:
// anybody can make a link for any address. It sends nothing once the link has ended. Delivery is at
// least once.
func (m *InviteMailer) Send(ctx context.Context, id uuid.UUID, kind catalog.Kind) error {
	i, language, found, err := inviteToMail(ctx, m.DB, id)
	if err != nil || !found || i.Email == "" || i.check(m.Clock.Now()) != nil {
		return err
	}
	params := catalog.Params{"username": i.Maker.Username, "amount": i.Price.String()}
	text := func(kind catalog.Kind) string { return catalog.Render(language, kind, params) }
	message, err := mailer.Compose(mailer.Email{
		To: i.Email, Language: language, Subject: text(kind),
		Paragraphs: []string{text(catalog.SharePromise), text(catalog.MailInviteHow)},
		LinkText:   text(catalog.MailInviteLink), Link: m.PublicURL + "/d/" + i.Code,
		Assurance: text(catalog.MailAssurance), Footer: text(catalog.MailInviteFooter),
	})
	if err != nil {
		return err
	}
	return m.Mail.Send(ctx, message)
}

// Join creates the deal of a link between its maker and the actor. Joining is agreeing: a deal in
// which the actor sells is accepted. Joining again returns the deal. Codes: NotFound if the link is
// unknown or has ended; Forbidden for its maker and if one of the two has blocked the other;
// Conflict if too many deals between the two wait to be accepted, or if the actor is the buyer and
// may not pay such a price yet; IdempotencyMismatch.
func (s *Service) Join(ctx context.Context, userID uuid.UUID, code string, key *idempotency.Key) (Detail, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return Detail{}, err
	}
	joined := id
	made, err := idempotency.Create(ctx, s.DB, key, id, s.Clock.Now(), func(tx *postgres.Tx) error {
		earlier, err := s.join(ctx, tx, userID, id, code)
		if err != nil || earlier == nil {
			return err
		}
		joined = *earlier
		return idempotency.Repoint(ctx, tx, key, joined)
	})
	if err != nil {
		return Detail{}, err
	}
	if joined != id {
		made = joined
	}
	return s.Get(ctx, userID, made)
}

// join creates the deal, or returns the one in which the actor is already.
func (s *Service) join(ctx context.Context, tx *postgres.Tx, userID, id uuid.UUID, code string) (earlier *uuid.UUID, err error) {
	i, err := lockInvite(ctx, tx, code)
	switch {
	case err != nil:
		return nil, err
	case i.Maker.ID == userID:
		return nil, fault.New(fault.Forbidden, "invite_own", "This is your own link. Send it to whoever the deal is with.")
	case i.Joiner != nil && *i.Joiner == userID:
		return i.DealID, nil
	}
	now := s.Clock.Now()
	if err := i.check(now); err != nil {
		return nil, err
	}
	d, err := s.insertJoined(ctx, tx, i, userID, id)
	if err != nil {
		return nil, err
	}
	if err := setInviteJoined.One(ctx, tx, postgres.Args{"id": i.ID, "deal": id}); err != nil {
		return nil, err
	}
	if err := s.publish(ctx, tx, d, change{actor: actor.User(i.Maker.ID), line: catalog.LineCreated}); err != nil {
		return nil, err
	}
	d.AcceptedAt = &now
	return nil, s.apply(ctx, tx, d, change{
		actor: actor.User(userID), line: catalog.LineJoined, notices: []notice{{i.Maker.ID, catalog.DealJoined}},
	})
}

// insertJoined inserts the deal with the checks of Create. The maker's limit was checked when they
// made the link, and is again when they pay.
func (s *Service) insertJoined(ctx context.Context, tx *postgres.Tx, i Invite, userID, id uuid.UUID) (Deal, error) {
	draft := i.draft(userID)
	if i.MakerBuys {
		if _, err := checkPairLimit(ctx, tx, i.Maker.ID, userID); err != nil {
			return Deal{}, err
		}
	} else if err := s.Limits.CheckPrice(ctx, tx, userID, i.Price); err != nil {
		return Deal{}, err
	}
	d, err := s.insert(ctx, tx, i.Maker.ID, userID, id, draft)
	if fault.CodeOf(err) == fault.Invalid { // disabled meanwhile
		err = errNoInvite()
	}
	return d, err
}
