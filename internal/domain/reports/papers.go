package reports

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

// Paper is what a printed receipt or statement says beside its figures.
type Paper struct {
	// Code of the page that shows anybody whether the paper is genuine. It names what the paper is
	// about and is signed, so that nothing has to be stored for it.
	Code   string
	Number string // of a receipt; "" for a statement
	MadeAt time.Time
	Rate   *money.Rate // in force at the time of the receipt or of the closing balance; nil: none was set
}

// CheckedPaper is what everybody sees of a paper: no texts, and names without their middle. One of
// its fields is not nil.
type CheckedPaper struct {
	Deal      *CheckedDeal
	Deposit   *CheckedDeposit
	Statement *CheckedStatement
}

// CheckedDeal is the receipt of a deal.
type CheckedDeal struct {
	Number        string
	Buyer, Seller string
	Price         money.Cents
	PaidAt        time.Time
	Status        string
	ClosedAt      *time.Time   // nil while Amanat holds the money
	Refund        *money.Cents // nil: none
}

// CheckedDeposit is the receipt of a deposit.
type CheckedDeposit struct {
	Number     string
	User       string
	Method     string
	Amount     money.Cents
	Taka       money.Poisha
	CreditedAt time.Time
}

// CheckedStatement is a statement without its lines.
type CheckedStatement struct {
	User   string
	Filter StatementFilter
	MadeAt time.Time
	Statement
}

// A code has the kind of the paper, what it is about, and the signature.
const (
	paperDeal = 1 + iota
	paperDeposit
	paperStatement

	// 64 bits that can be guessed only by asking.
	signatureSize = 8
)

// The letters of a code cannot be taken for one another.
var paperEncoding = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// statementClaim is what the code of a statement names.
type statementClaim struct {
	User             uuid.UUID
	From, To, MadeAt uint32 // Unix times; 0: open
	Beyond           uint32 // see statementBounds
	Kind             uint8  // index in statementKinds
}

// statementKinds are part of codes: new ones are added at the end.
var statementKinds = []StatementKind{
	"", StatementDeals, StatementDeposits, StatementWithdrawals, StatementRewards, StatementCorrections,
}

// DealPaper returns what the receipt of a paid deal says. The caller has checked that the reader is
// a party of it.
func (s *Service) DealPaper(ctx context.Context, id uuid.UUID, paidAt time.Time) (Paper, error) {
	p, err := s.paper(ctx, s.Clock.Now(), paidAt, paperDeal, id)
	p.Number = receiptNumber('D', id)
	return p, err
}

// DepositPaper returns what the receipt of a credited deposit says. The caller has checked that the
// reader is its user.
func (s *Service) DepositPaper(ctx context.Context, id uuid.UUID, creditedAt time.Time) (Paper, error) {
	p, err := s.paper(ctx, s.Clock.Now(), creditedAt, paperDeposit, id)
	p.Number = receiptNumber('P', id)
	return p, err
}

// StatementPaper returns what a statement that has just been read says.
func (s *Service) StatementPaper(ctx context.Context, userID uuid.UUID, filter StatementFilter, st Statement) (Paper, error) {
	now := s.Clock.Now()
	closedAt := now
	if filter.Period.To != nil && filter.Period.To.Before(now) {
		closedAt = *filter.Period.To
	}
	return s.paper(ctx, now, closedAt, paperStatement, statementClaim{
		User: userID, From: unixOf(filter.Period.From), To: unixOf(filter.Period.To), MadeAt: unixOf(&now),
		Beyond: uint32(st.beyond),
		Kind:   uint8(slices.Index(statementKinds, filter.Kind)),
	})
}

const sqlPaperKey = `
select k.key, (select r.usd_to_bdt from exchange_rates r where r.set_at <= @at order by r.id desc limit 1) as rate
  from paper_key k`

type paperKey struct {
	Key  []byte
	Rate *money.Rate
}

func (s *Service) paperKey(ctx context.Context, at time.Time) (paperKey, error) {
	return postgres.Query[paperKey]("reports.paper_key", sqlPaperKey).One(ctx, s.DB, postgres.Args{"at": at})
}

// paper returns a paper about what has a fixed size, with the exchange rate of a time.
func (s *Service) paper(ctx context.Context, now, at time.Time, kind byte, about any) (Paper, error) {
	k, err := s.paperKey(ctx, at)
	if err != nil {
		return Paper{}, err
	}
	claim, err := binary.Append([]byte{kind}, binary.BigEndian, about)
	if err != nil {
		return Paper{}, err
	}
	return Paper{Code: paperEncoding.EncodeToString(append(claim, signature(k.Key, claim)...)), MadeAt: now, Rate: k.Rate}, nil
}

func signature(key, claim []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(claim)
	return mac.Sum(nil)[:signatureSize]
}

// CheckPaper returns what a paper with a code says, as the books are now, to anybody. Code NotFound
// if Amanat has made no paper with it.
func (s *Service) CheckPaper(ctx context.Context, code string) (CheckedPaper, error) {
	unknown := fault.New(fault.NotFound, "paper_not_found", "Amanat has not made a receipt or statement with this code.")
	signed, err := paperEncoding.DecodeString(strings.ToLower(code))
	if err != nil || len(signed) <= signatureSize {
		return CheckedPaper{}, unknown
	}
	k, err := s.paperKey(ctx, s.Clock.Now())
	if err != nil {
		return CheckedPaper{}, err
	}
	claim, signed := signed[:len(signed)-signatureSize], signed[len(signed)-signatureSize:]
	if !hmac.Equal(signed, signature(k.Key, claim)) {
		return CheckedPaper{}, unknown
	}
	var checked CheckedPaper
	about := claim[1:]
	switch claim[0] {
	case paperDeal:
		checked.Deal, err = s.checkDeal(ctx, uuid.UUID(about))
	case paperDeposit:
		checked.Deposit, err = s.checkDeposit(ctx, uuid.UUID(about))
	default:
		checked.Statement, err = s.checkStatement(ctx, about)
	}
	return checked, postgres.IfNoRows(err, unknown)
}

var findCheckedDeal = postgres.Query[CheckedDeal]("reports.checked_deal", `
select '' as number, b.username as buyer, s.username as seller, d.price, d.activated_at as paid_at, d.status, d.closed_at,
       d.refunded_amount as refund
  from deals d join users b on b.id = d.buyer_id join users s on s.id = d.seller_id
 where d.id = @id and d.activated_at is not null`)

func (s *Service) checkDeal(ctx context.Context, id uuid.UUID) (*CheckedDeal, error) {
	found, err := findCheckedDeal.One(ctx, s.DB, postgres.Args{"id": id})
	if err != nil {
		return nil, err
	}
	found.Number, found.Buyer, found.Seller = receiptNumber('D', id), shortName(found.Buyer), shortName(found.Seller)
	return &found, nil
}

var findCheckedDeposit = postgres.Query[CheckedDeposit]("reports.checked_deposit", `
select '' as number, u.username as user, i.payment_method as method, i.amount, i.converted_amount as taka, i.handled_at as credited_at
  from deposits i join users u on u.id = i.user_id
 where i.id = @id and i.status = 'completed'`)

func (s *Service) checkDeposit(ctx context.Context, id uuid.UUID) (*CheckedDeposit, error) {
	found, err := findCheckedDeposit.One(ctx, s.DB, postgres.Args{"id": id})
	if err != nil {
		return nil, err
	}
	found.Number, found.User = receiptNumber('P', id), shortName(found.User)
	return &found, nil
}

var findUsername = postgres.Query[string]("reports.username", `select username from users where id = @user`)

// checkStatement adds a statement up again. The ledger only grows, so what it had up to a movement
// stays.
func (s *Service) checkStatement(ctx context.Context, about []byte) (*CheckedStatement, error) {
	var claim statementClaim
	if err := binary.Read(bytes.NewReader(about), binary.BigEndian, &claim); err != nil {
		return nil, err
	}
	beyond := int64(claim.Beyond)
	checked := &CheckedStatement{
		Filter: StatementFilter{
			Period: Period{From: timeOf(claim.From), To: timeOf(claim.To)}, Kind: statementKinds[claim.Kind], beyond: &beyond,
		},
		MadeAt: *timeOf(claim.MadeAt),
	}
	err := postgres.Snapshot(ctx, s.DB, func(tx *postgres.Tx) error {
		name, err := findUsername.One(ctx, tx, postgres.Args{"user": claim.User})
		if err != nil {
			return err
		}
		checked.User = shortName(name)
		reader, err := newStatementReader(ctx, tx, claim.User, checked.Filter, oldestFirst)
		if err == nil && reader != nil {
			checked.Statement = reader.statement
		}
		return err
	})
	return checked, err
}

// receiptNumber returns the random end of an id, so that numbers do not tell how many there are
// (docs/rules.md#statement).
func receiptNumber(letter rune, id uuid.UUID) string {
	digits := strings.ToUpper(strings.ReplaceAll(id.String(), "-", ""))
	return string(letter) + "-" + digits[20:24] + "-" + digits[24:28] + "-" + digits[28:]
}

// shortName returns a username without its middle, also in length: whoever has the paper can
// compare it, and nobody else learns it.
func shortName(name string) string {
	letters := []rune(name)
	return string(letters[0]) + "•••" + string(letters[len(letters)-1])
}

func unixOf(t *time.Time) uint32 {
	if t == nil {
		return 0
	}
	return uint32(min(max(t.Unix(), 1), math.MaxUint32))
}

func timeOf(seconds uint32) *time.Time {
	if seconds == 0 {
		return nil
	}
	t := time.Unix(int64(seconds), 0)
	return &t
}
