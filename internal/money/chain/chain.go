// Package chain seals the ledger and the audit log: it keeps a hash of each row and of the seal
// before it, so that a row that was changed, removed or inserted later can be found. Rows are
// sealed after they are committed, so posting neither waits for the chain nor knows of it. See
// docs/decisions/0027-hash-chain.md.
package chain

import (
	"context"
	"crypto/sha256"
	"encoding/binary"

	"amanat/internal/lib/postgres"
)

// log is a table whose rows are sealed, in a chain of its own.
type log struct {
	name     string // of the chain
	row      string // what a row is called in findings
	table    string
	sequence string // that the rows' ids are taken from
	seals    string // the table of the seals
	// load returns the canonical form of the rows that exist, by id.
	load func(ctx context.Context, q postgres.Querier, ids []int64) (map[int64][]byte, error)
	// orphans finds rows that belong to no row of the table; empty if there can be none.
	orphans string
}

// The names of the chains.
const (
	Transfers = "transfers" // the transfers of the ledger with their entries
	Audit     = "audit"     // the audit log
)

func logs() []log {
	return []log{
		{
			name: Transfers, row: "transfer", table: "ledger.transfers", sequence: "ledger.transfers_id_seq",
			seals: "chain.transfer_seals", load: loadTransfers, orphans: sqlOrphans,
		},
		{
			name: Audit, row: "entry of the audit log", table: "audit_log", sequence: "audit_log_id_seq",
			seals: "chain.audit_seals", load: loadAudit,
		},
	}
}

// Names returns the names of the chains.
func Names() []string { return []string{Transfers, Audit} }

// hashOf returns the hash of a seal: of the hash before it, the seal's number and the row.
func hashOf(before []byte, seq int64, row []byte) []byte {
	h := sha256.New()
	h.Write(before)
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(seq)))
	h.Write(row)
	return h.Sum(nil)
}

// genesis stands for the hash before the first seal.
func genesis() []byte { return make([]byte, sha256.Size) }
