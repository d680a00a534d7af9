package jobs

import (
	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

// Emails about the account itself. The owner receives them even with email notifications off.
const (
	LetterPasswordChanged = "password_changed"
	LetterResetPassword   = "reset_password"
	LetterVerifyEmail     = "verify_email"
	LetterMailCode        = "mail_code"

	LetterFactorOn       = "factor_on"
	LetterFactorOff      = "factor_off"
	LetterFactorReset    = "factor_reset"
	LetterTOTPAdded      = "totp_added"
	LetterTOTPRemoved    = "totp_removed"
	LetterPasskeyAdded   = "passkey_added"
	LetterPasskeyRemoved = "passkey_removed"
	LetterBackupCodesNew = "backup_codes_new"
	LetterBackupCodeUsed = "backup_code_used"

	LetterDataExportReady = "data_export_ready"
)

// accountMailAttempts lets an email that a user is waiting for retry for a day, at most 5 minutes
// apart. After that it is of no use.
const accountMailAttempts = 300

// AccountMail emails the owner of an account about it. The token of a link is not among the
// arguments: the worker creates it.
type AccountMail struct {
	UserID uuid.UUID         `json:"user_id"`
	Letter string            `json:"letter"`
	Params map[string]string `json:"params,omitempty"` // of the text; nothing secret
}

// Kind returns account_mail.
func (AccountMail) Kind() string { return "account_mail" }

// InsertOpts sends the job to the mail queue.
func (AccountMail) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMail, MaxAttempts: accountMailAttempts}
}

// Emails about a change of an account's address.
const (
	LetterEmailConfirm = "email_confirm" // to the new address; its link applies the change
	LetterEmailUndo    = "email_undo"    // to the former address; its link undoes the change
)

// EmailChangeMail emails one of the two addresses of a change. As for AccountMail, the worker
// creates the token of the link.
type EmailChangeMail struct {
	ChangeID uuid.UUID `json:"change_id"`
	Letter   string    `json:"letter"`
}

// Kind returns email_change_mail.
func (EmailChangeMail) Kind() string { return "email_change_mail" }

// InsertOpts sends the job to the mail queue.
func (EmailChangeMail) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMail, MaxAttempts: accountMailAttempts}
}

// Emails about a withdrawal, each with a link that is sent to its owner only.
const (
	LetterWithdrawalRequested = "withdrawal_requested" // its link stops the withdrawal
	LetterWithdrawalConfirm   = "withdrawal_confirm"   // its link ends the hold
)

// WithdrawalMail emails the owner of a withdrawal about it. As for AccountMail, the worker creates
// the token of the link.
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

// InviteMail mails the link to a deal to whom its maker made it for.
type InviteMail struct {
	InviteID uuid.UUID `json:"invite_id"`
}

// Kind returns invite_mail.
func (InviteMail) Kind() string { return "invite_mail" }

// InsertOpts sends the job to the mail queue.
func (InviteMail) InsertOpts() river.InsertOpts {
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

// ContactMail forwards a contact form message to support.
type ContactMail struct {
	MessageID uuid.UUID `json:"message_id"`
}

// Kind returns contact_mail.
func (ContactMail) Kind() string { return "contact_mail" }

// InsertOpts sends the job to the mail queue.
func (ContactMail) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueMail} }

// Emails about a decision of moderation. The person concerned receives them even while their
// account is suspended.
const (
	LetterDecision           = "decision" // its link opens the appeal
	LetterDecisionUpheld     = "decision_upheld"
	LetterDecisionOverturned = "decision_overturned"
	LetterSuspensionEnded    = "suspension_ended"
)

// DecisionMail emails the person concerned by a decision. As for AccountMail, the worker creates
// the token of the link.
type DecisionMail struct {
	DecisionID uuid.UUID `json:"decision_id"`
	Letter     string    `json:"letter"`
}

// Kind returns decision_mail.
func (DecisionMail) Kind() string { return "decision_mail" }

// InsertOpts sends the job to the mail queue.
func (DecisionMail) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMail, MaxAttempts: accountMailAttempts}
}

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
