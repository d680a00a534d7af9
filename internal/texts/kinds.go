package texts

// Notifications. Those to admins begin with Admin.
const (
	DealOffered         Kind = "deal_offered"
	DealPaid            Kind = "deal_paid"
	DealDelivered       Kind = "deal_delivered"
	DealCompleted       Kind = "deal_completed"
	DealDeclined        Kind = "deal_declined"
	DealWithdrawn       Kind = "deal_withdrawn"
	DealLate            Kind = "deal_late"
	DealCancelAsked     Kind = "deal_cancel_asked"
	DealCancelAccepted  Kind = "deal_cancel_accepted"
	DealCancelDeclined  Kind = "deal_cancel_declined"
	DealReset           Kind = "deal_reset"
	DealUnanswered      Kind = "deal_unanswered"
	DealSellerCancelled Kind = "deal_seller_cancelled"
	DealBuyerLeft       Kind = "deal_buyer_left"
	DealOverdue         Kind = "deal_overdue"
	DealAdminCancelled  Kind = "deal_admin_cancelled"
	DealAdminCompleted  Kind = "deal_admin_completed"
	DealClockCompleted  Kind = "deal_clock_completed"
	DealExpired         Kind = "deal_expired"
	DealEscalated       Kind = "deal_escalated"
	DealSupport         Kind = "deal_support"
	DealSupportClosed   Kind = "deal_support_closed"
	DealExpiresSoon     Kind = "deal_expires_soon"
	DealCompletesSoon   Kind = "deal_completes_soon"
	DealRefundsSoon     Kind = "deal_refunds_soon"
	DealUnansweredSoon  Kind = "deal_unanswered_soon"
	DealEscalatesSoon   Kind = "deal_escalates_soon"
	ReferralCredited    Kind = "referral_credited"
	ReviewReceived      Kind = "review_received"
	DepositApproved     Kind = "deposit_approved"
	DepositChanged      Kind = "deposit_changed"
	DepositRejected     Kind = "deposit_rejected"
	WithdrawalSent      Kind = "withdrawal_sent"
	WithdrawalRejected  Kind = "withdrawal_rejected"
	AdminDeposit        Kind = "admin_deposit"
	AdminWithdrawal     Kind = "admin_withdrawal"
	AdminSupport        Kind = "admin_support"
	AdminEscalated      Kind = "admin_escalated"
)

// Lines of a deal's timeline.
const (
	LineCreated         Kind = "line_created"
	LinePaid            Kind = "line_paid"
	LineDelivered       Kind = "line_delivered"
	LineCompleted       Kind = "line_completed"
	LineLate            Kind = "line_late"
	LineCancelAsked     Kind = "line_cancel_asked"
	LineCancelAccepted  Kind = "line_cancel_accepted"
	LineCancelDeclined  Kind = "line_cancel_declined"
	LineReset           Kind = "line_reset"
	LineUnanswered      Kind = "line_unanswered"
	LineSellerCancelled Kind = "line_seller_cancelled"
	LineBuyerLeft       Kind = "line_buyer_left"
	LineOverdue         Kind = "line_overdue"
	LineAdminCancelled  Kind = "line_admin_cancelled"
	LineAdminCompleted  Kind = "line_admin_completed"
	LineClockCompleted  Kind = "line_clock_completed"
	LineEscalated       Kind = "line_escalated"
	LineSupport         Kind = "line_support"
	LineSupportClosed   Kind = "line_support_closed"
)

// Greetings that open a conversation, in the words of whoever starts it.
const (
	GreetingPost Kind = "greeting_post"
	GreetingDeal Kind = "greeting_deal"
)

// Parts of e-mails.
const (
	MailOpen   Kind = "mail_open"
	MailFooter Kind = "mail_footer"
)
