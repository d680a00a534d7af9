import type { components } from './types.gen';

export type { paths } from './types.gen';

/** The wire types under the names used by the UI, all from the generated document. */
type Schemas = components['schemas'];

export type Party = Schemas['Party'];
export type Requester = Schemas['Customer'];
export type User = Schemas['User'];
export type Me = Schemas['Me'];
export type Operation = Schemas['Operation'];
export type Pending = Schemas['Underway'];

export type Deal = Schemas['Deal'];
export type DealDetail = Schemas['DealDetail'];
export type Counteroffer = Schemas['Counteroffer'];
export type CounterofferBody = Schemas['CounterofferBody'];
export type DealInvite = Schemas['DealInvite'];
export type InviteOffer = Schemas['InviteOffer'];
export type DealProof = Schemas['DealProof'];
export type HeldMoney = Schemas['HeldMoney'];
export type Paper = Schemas['Paper'];
export type CheckedPaper = Schemas['CheckedPaper'];
export type DealTotals = Schemas['DealTotals'];
export type DealStatus = Deal['status'];
export type DealAnswer = Schemas['DealChange'];
export type TimelineEntry = Schemas['TimelineEntry'];
export type DealPicture = TimelineEntry['pictures'][number];

export type Checkout = Schemas['Checkout'];
export type Correction = Schemas['Correction'];
export type DealDispute = Schemas['DealDispute'];
export type DisputeSummary = Schemas['DisputeSummary'];
export type DisputeStatus = DealDispute['status'];
/** The action an open dispute needs from a party. */
export type DisputeTurn = NonNullable<Schemas['OpenDispute']['buyerTurn']>;
export type DisputeReason = DealDispute['reason'];
export type DisputeEntry = Schemas['DisputeEntry'];
export type DisputeOffer = Schemas['DisputeOffer'];
export type DisputeDecision = Schemas['DisputeDecision'];

export type Post = Schemas['Post'];
export type SavedSearch = Schemas['SavedSearch'];
export type PostListing = Schemas['PostListing'];
export type PostBody = Schemas['PostBody'];
export type Category = Post['category'];
export type Profile = Schemas['Profile'];
export type Review = Schemas['Review'];
export type Session = Schemas['Session'];
export type Activity = Schemas['Activity'];
export type SecondFactor = Schemas['SecondFactor'];
export type Passkey = Schemas['Passkey'];
export type PasskeyOptions = Schemas['PasskeyOptions'];
export type NewTOTP = Schemas['NewTOTP'];
export type DataExport = Schemas['Export'];
export type LatestExport = Schemas['LatestExport'];
export type CloseBlockers = Schemas['Closing'];
export type NotificationSettings = Schemas['NotificationSettings'];
export type NotificationSettingsBody = Schemas['NotificationSettingsBody'];
export type PushDevice = Schemas['PushDevice'];

export type Deposit = Schemas['Deposit'];
export type DepositStatus = Deposit['status'];
export type Deposits = Schemas['DepositHistory'];
export type DepositWait = Schemas['DepositWait'];
export type DepositSubmitted = Schemas['DepositSubmitted'];
export type WithdrawalSubmitted = Schemas['WithdrawalSubmitted'];
export type DepositReason = NonNullable<Deposit['reasonCode']>;
export type Withdrawal = Schemas['Withdrawal'];
export type WithdrawalStatus = Withdrawal['status'];
export type Withdrawals = Schemas['WithdrawalHistory'];
export type NotMineAnswer = Schemas['WithdrawalNotMine'];
export type PaymentMethod = Deposit['paymentMethod'];

export type WalletHistory = Schemas['WalletHistory'];
export type WalletMovement = Schemas['WalletMovement'];
export type StatementLine = Schemas['StatementLine'];
export type WalletStatement = Schemas['WalletStatement'];
export type WalletLimits = Schemas['WalletLimits'];
export type PayoutNumber = Schemas['PayoutNumber'];
export type SupportRequest = Schemas['SupportRequest'];

export type Notification = Schemas['Notification'];
export type Notifications = Schemas['NotificationList'];

export type Conversation = Schemas['Conversation'];
export type DirectMessage = Schemas['DirectMessage'];
export type MessageHistory = Schemas['MessageHistory'];
export type MessageSent = Schemas['MessageSent'];

export type ServerFrame = Schemas['ServerFrame'];
export type ClientFrame = Schemas['ClientFrame'];

export type BugReport = Schemas['BugReport'];
export type ContactMessage = Schemas['ContactMessage'];

export type Block = Schemas['Relation']['block'];
export type BlockedUser = Schemas['BlockedUser'];
export type Report = Schemas['Report'];
export type Decision = Schemas['Decision'];
export type AdminCase = Schemas['AdminCase'];
export type AdminCaseDetail = Schemas['AdminCaseDetail'];
export type ReportedContent = Schemas['ReportedContent'];

export type Claim = Schemas['Claim'];
export type AdminDeposit = Schemas['AdminDeposit'];
export type Receiver = Schemas['Receiver'];
export type AdminReceiver = Schemas['AdminReceiver'];
export type AdminPayment = Schemas['AdminPayment'];
export type AdminDrift = Schemas['AdminDrift'];
export type Dispute = Schemas['Dispute'];
export type AdminDeposits = Schemas['AdminDeposits'];
export type AdminWithdrawal = Schemas['AdminWithdrawal'];
export type AdminWithdrawals = Schemas['AdminWithdrawals'];

export type AdminUser = Schemas['AdminUser'];
export type AdminUserRecord = Schemas['AdminUserRecord'];
export type AdminNotification = Schemas['AdminNotification'];
export type AuditEntry = Schemas['AuditEntry'];
export type Paused = Schemas['Paused'];
export type RateChange = Schemas['RateChange'];
export type Series = Schemas['Series'];
export type Standing = Schemas['Dashboard'];

export type Failure = Schemas['Error'];
