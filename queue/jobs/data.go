package jobs

import (
	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

// dataAttempts is how often an export is attempted before its user is told that it failed.
const dataAttempts = 4

// DataExport makes the archive of what a user has made.
type DataExport struct {
	ExportID uuid.UUID `json:"export_id"`
}

// Kind returns data_export.
func (DataExport) Kind() string { return "data_export" }

// InsertOpts sends the job to the queue of long jobs.
func (DataExport) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueData, MaxAttempts: dataAttempts}
}

// EraseAccount erases what the owner of a closed account has made.
type EraseAccount struct {
	UserID uuid.UUID `json:"user_id"`
}

// Kind returns erase_account.
func (EraseAccount) Kind() string { return "erase_account" }

// InsertOpts sends the job to the queue of long jobs. It has River's usual number of attempts,
// which take three weeks: an account that is not erased needs an operator.
func (EraseAccount) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueData} }

// AccountClosedMail sends the last email to the owner of a closed account.
type AccountClosedMail struct {
	UserID uuid.UUID `json:"user_id"`
}

// Kind returns account_closed_mail.
func (AccountClosedMail) Kind() string { return "account_closed_mail" }

// InsertOpts sends the job to the mail queue.
func (AccountClosedMail) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMail, MaxAttempts: accountMailAttempts}
}
