package jobs

import (
	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

// Mail sends the e-mail of one notification.
type Mail struct {
	NotificationID uuid.UUID `json:"notification_id"`
}

// Kind returns mail.
func (Mail) Kind() string { return "mail" }

// InsertOpts sends the job to the mail queue.
func (Mail) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueMail} }

// Emails about the account itself, which its owner gets even without email notifications.
const (
	LetterPasswordChanged = "password_changed"
	LetterResetPassword   = "reset_password"
	LetterVerifyEmail     = "verify_email"
)

// accountMailAttempts lets a letter that somebody waits for retry with at most 5 minutes between for a day. By then it is of no use.
const accountMailAttempts = 300

// AccountMail sends a letter about an account to its owner. A link's token is not among the arguments: the worker makes it.
type AccountMail struct {
	UserID uuid.UUID `json:"user_id"`
	Letter string    `json:"letter"`
}

// Kind returns account_mail.
func (AccountMail) Kind() string { return "account_mail" }

// InsertOpts sends the job to the mail queue.
func (AccountMail) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMail, MaxAttempts: accountMailAttempts}
}

// Letters about a withdrawal, each with a link that only its owner's mailbox has.
const (
	LetterWithdrawalRequested = "withdrawal_requested" // with a link to stop it
	LetterWithdrawalConfirm   = "withdrawal_confirm"   // with a link that ends its hold
)

// WithdrawalMail sends a letter about a withdrawal to its owner. As in AccountMail, the worker makes the link's token.
type WithdrawalMail struct {
	WithdrawalID uuid.UUID `json:"withdrawal_id"`
	Letter       string    `json:"letter"`
}

// Kind returns withdrawal_mail.
func (WithdrawalMail) Kind() string { return "withdrawal_mail" }

// InsertOpts sends the job to the mail queue.
func (WithdrawalMail) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMail, MaxAttempts: accountMailAttempts}
}

// BugReportMail forwards a bug report to support.
type BugReportMail struct {
	ReportID uuid.UUID `json:"report_id"`
}

// Kind returns bug_report_mail.
func (BugReportMail) Kind() string { return "bug_report_mail" }

// InsertOpts sends the job to the mail queue.
func (BugReportMail) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueMail} }

// ContactMail forwards a message of the contact form to support.
type ContactMail struct {
	MessageID uuid.UUID `json:"message_id"`
}

// Kind returns contact_mail.
func (ContactMail) Kind() string { return "contact_mail" }

// InsertOpts sends the job to the mail queue.
func (ContactMail) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueMail} }
