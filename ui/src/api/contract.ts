import type { components } from './types.gen';

export type { paths } from './types.gen';

/** The wire types by the names that the UI uses, all from the generated document. */
type Schemas = components['schemas'];

export type Party = Schemas['Party'];
export type Requester = Schemas['Customer'];
export type User = Schemas['User'];
export type Me = Schemas['Me'];
export type Language = User['language'];
export type Operation = Schemas['Operation'];
export type OperationStatus = Operation['status'];
export type Pending = Schemas['Underway'];

export type Deal = Schemas['Deal'];
export type DealDetail = Schemas['DealDetail'];
export type DealStatus = Deal['status'];
export type DealAnswer = Schemas['DealChange'];
export type TimelineEntry = Schemas['TimelineEntry'];

export type Deposit = Schemas['Deposit'];
export type DepositStatus = Deposit['status'];
export type Deposits = Schemas['DepositHistory'];
export type DepositAnswer = Schemas['DepositSubmitted'];
export type Withdrawal = Schemas['Withdrawal'];
export type WithdrawalStatus = Withdrawal['status'];
export type Withdrawals = Schemas['WithdrawalHistory'];
export type WithdrawalAnswer = Schemas['WithdrawalSubmitted'];
export type PaymentMethod = Deposit['paymentMethod'];

export type Claim = Schemas['Claim'];
export type AdminDeposit = Schemas['AdminDeposit'];
export type AdminDeposits = Schemas['AdminDeposits'];
export type AdminDepositAnswer = Schemas['DepositHandled'];
export type AdminWithdrawal = Schemas['AdminWithdrawal'];
export type AdminWithdrawals = Schemas['AdminWithdrawals'];
export type AdminWithdrawalAnswer = Schemas['WithdrawalHandled'];

export type Wallet = Schemas['WalletSummary'];
export type ExchangeRate = Schemas['ExchangeRate'];
export type Receiver = Schemas['Receiver'];
export type PublicStats = Schemas['PublicStats'];
export type Message = Schemas['Message'];
export type Failure = Schemas['Error'];
