package chain

import (
	"encoding/binary"
	"time"

	"github.com/google/uuid"
)

// canonicalVersion is the version of the canonical form. It is stored with each seal. A new column
// of a sealed table requires a new version; the seals of earlier versions remain valid in theirs.
const canonicalVersion = 1

// canonical is the canonical form of a row: the name of its chain and the version, then every
// column in the order of its table. A value is a byte, 0 for null and 1 otherwise, and then 8 bytes
// for an integer, 8 bytes for a time in microseconds since 1970 in UTC, 16 bytes for a UUID, or the
// length in 4 bytes and the bytes of a text in UTF-8. Integers are big-endian. No two rows have the
// same form.
type canonical []byte

func newCanonical(chain string) canonical {
	c := make(canonical, 0, 512)
	c.text(&chain)
	c.integer(ptr(int64(canonicalVersion)))
	return c
}

func ptr[T any](value T) *T { return &value }

// begin writes whether there is a value.
func (c *canonical) begin(present bool) bool {
	if !present {
		*c = append(*c, 0)
		return false
	}
	*c = append(*c, 1)
	return true
}

func (c *canonical) integer(v *int64) {
	if c.begin(v != nil) {
		*c = binary.BigEndian.AppendUint64(*c, uint64(*v))
	}
}

func (c *canonical) text(v *string) {
	if c.begin(v != nil) {
		*c = binary.BigEndian.AppendUint32(*c, uint32(len(*v)))
		*c = append(*c, *v...)
	}
}

func (c *canonical) bytes(v []byte) {
	if c.begin(v != nil) {
		*c = binary.BigEndian.AppendUint32(*c, uint32(len(v)))
		*c = append(*c, v...)
	}
}

func (c *canonical) uuid(v *uuid.UUID) {
	if c.begin(v != nil) {
		*c = append(*c, v[:]...)
	}
}

func (c *canonical) time(v time.Time) { c.integer(ptr(v.UnixMicro())) }

// start begins the form of a transfer; its entries follow.
func (t transferRow) start() canonical {
	c := newCanonical(Transfers)
	c.integer(&t.ID)
	c.text(&t.Key)
	c.text(&t.Kind)
	c.bytes(t.RequestHash)
	c.integer(&t.EntryCount)
	c.uuid(t.ActorID)
	c.text(t.Reason)
	c.time(t.At)
	c.time(t.RecordedAt)
	return c
}

// entry adds an entry with the account it is of. The account's kind, owner and currency never
// change; whoever changed them would give its money to somebody else. The entry's transaction ID is
// not part of what was posted, and moved.sql resets it.
func (c *canonical) entry(e entryRow) {
	c.integer(&e.AccountID)
	c.text(&e.Currency)
	c.integer(&e.Amount)
	c.integer(e.BalanceAfter)
	c.integer(e.Version)
	c.time(e.At)
	c.text(e.AccountKind)
	c.uuid(e.AccountOwner)
	c.text(e.AccountCurrency)
}

func (r auditRow) canonical() canonical {
	c := newCanonical(Audit)
	c.integer(&r.ID)
	c.time(r.At)
	c.uuid(r.ActorID)
	c.text(&r.Action)
	c.text(&r.Subject)
	c.text(&r.Details)
	return c
}
