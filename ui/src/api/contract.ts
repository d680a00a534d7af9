/**
 * The wire contract in the shape that openapi-typescript generates, until src/api/openapi.json is there.
 * Then this file shrinks to the aliases at its top, taken from ./types.gen.
 */
export type Language = 'en' | 'bn';
export type Party = { _id: string; username: string; profilePic: string };
export type User = {
  _id: string;
  username: string;
  email: string;
  profilePic: string;
  isAdmin: boolean;
  isVerified: boolean;
  wallet: number;
  createdAt: string;
  language: Language;
};
export type Me = User & { referralCode: string };

export type OperationStatus = 'pending' | 'done' | 'rejected';
export type Operation = {
  _id: string;
  kind: string;
  status: OperationStatus;
  subject: string;
  result?: { message?: string };
  error?: { code: string; message: string; shortfall?: number };
  createdAt: string;
  finishedAt?: string;
};

export type DealStatus =
  | 'Pending'
  | 'Active'
  | 'Late'
  | 'Delivered'
  | 'Completed'
  | 'Cancelled'
  | 'Cancelled by Buyer'
  | 'Cancelled by Seller';
export type Deal = {
  _id: string;
  buyer: Party;
  seller: Party;
  price: number;
  description: string;
  deliveryDuration: number;
  status: DealStatus;
  createdAt: string;
  dueAt: string;
  activatedAt: string | null;
  deliveredAt: string | null;
  closedAt: string | null;
  delivered: boolean;
  cancellationRequested: boolean;
  cancellationDeclined: boolean;
  reviewGiven: boolean;
  fee: number;
  payout: number;
};
export type TimelineEntry = { _id: string; kind: string; message: string; at: string; actor: Party | null };
export type DealDetail = Deal & { timeline: TimelineEntry[]; operation?: Operation };
export type DealAnswer = {
  message: string;
  deal: DealDetail;
  status: DealStatus;
  cancellationRequested: boolean;
  cancellationDeclined: boolean;
};
export type Pending = { operation: Operation };

export type PaymentMethod = 'Bkash' | 'Nagad';
export type Requester = Party & { email: string };
export type DepositStatus = 'pending' | 'completed' | 'Failed';
export type Deposit = {
  _id: string;
  user: Requester;
  amount: number;
  claimedAmount: number;
  convertedAmount: number;
  rate: number;
  transactionId: string;
  paymentMethod: PaymentMethod;
  actionType: 'deposit';
  status: DepositStatus;
  reason: string | null;
  createdAt: string;
  handledAt: string | null;
  operation?: Operation;
};
export type WithdrawalStatus = 'pending' | 'completed' | 'failed';
export type Withdrawal = {
  _id: string;
  user: Requester;
  amount: number;
  convertedAmount: number;
  rate: number;
  phonenumber: string;
  paymentMethod: PaymentMethod;
  method: PaymentMethod;
  actionType: 'withdraw';
  transactionId: string | null;
  status: WithdrawalStatus;
  requestedAt: string;
  handledAt: string | null;
  operation?: Operation;
};
export type Claim = { admin: Party; until: string };
export type QueueFacts = { claim: Claim | null; handledBy: Party | null; history: { completed: number; total: number } };
export type AdminDeposit = Deposit & QueueFacts & { sameTransactionId: number };
export type AdminWithdrawal = Withdrawal & QueueFacts;

export type Wallet = { wallet: number; inEscrow: number; pendingWithdrawal: number };
export type ExchangeRate = { usdToBdt: number };
export type Receiver = { paymentMethod: PaymentMethod; number: string };
export type PublicStats = { totalUsers: number; totalDepositAmount: number; userOffset: number; usdOffset: number };
export type Page = { success: boolean; page: number; pages: number; total: number };
export type Deposits = Page & { deposits: Deposit[] };
export type Withdrawals = Page & { withdrawals: Withdrawal[] };
export type AdminDeposits = Page & { deposits: AdminDeposit[] };
export type AdminWithdrawals = Page & { withdrawals: AdminWithdrawal[] };
export type Message = { message: string };
export type DepositAnswer = { success: boolean; message: string; deposit: Deposit };
export type WithdrawalAnswer = { success: boolean; message: string; withdrawal: Withdrawal };
export type AdminDepositAnswer = { message: string; deposit: AdminDeposit };
export type AdminWithdrawalAnswer = { message: string; withdrawal: AdminWithdrawal };
export type Failure = { message: string; code: string; fields?: Record<string, string>; shortfall?: number };

type Json<T> = { headers: Record<string, unknown>; content: { 'application/json': T } };
type Params<Query, Path> = { query?: Query; header?: { 'Idempotency-Key'?: string }; path: Path; cookie?: never };
type Op<Answer, Body = never, Query = never, Path = never> = {
  parameters: [Path] extends [never] ? Omit<Params<Query, Path>, 'path'> & { path?: never } : Params<Query, Path>;
  responses: { 200: Json<Answer>; default: Json<Failure> };
} & ([Body] extends [never] ? { requestBody?: never } : { requestBody: { content: { 'application/json': Body } } });
type ById = { id: string };
type Paging = { page?: number; limit?: number };

export interface paths {
  '/auth/signup': { post: Op<User, { username: string; email: string; password: string; referredBy: string | null }> };
  '/auth/login': { post: Op<User, { username: string; password: string }> };
  '/auth/logout': { post: Op<Message> };
  '/auth/check': { get: Op<User> };
  '/auth/me': { get: Op<Me> };
  '/wallet': { get: Op<Wallet> };
  '/wallet/search': { get: Op<Party[], never, { query: string }> };
  '/wallet/receivers': { get: Op<Receiver[]> };
  '/exchange-rate': { get: Op<ExchangeRate> };
  '/auth/deposit': { post: Op<DepositAnswer, { amount: number; transactionId: string; paymentMethod: PaymentMethod }> };
  '/auth/deposit/history': { get: Op<Deposits, never, Paging> };
  '/withdraw': {
    post: Op<WithdrawalAnswer | Pending, { amount: number; phonenumber: string; paymentMethod: PaymentMethod }>;
  };
  '/withdraw/history': { get: Op<Withdrawals, never, Paging> };
  '/deals/create': {
    post: Op<DealDetail, { price: number; description: string; deliveryDuration: number; buyerId: string; sellerId: string }>;
  };
  '/deals/my-deals': { get: Op<Deal[], never, Paging> };
  '/deals/{id}': { get: Op<DealDetail, never, never, ById>; delete: Op<Message, never, never, ById> };
  '/deals/pay/{id}': { post: Op<DealAnswer | Pending, never, never, ById> };
  '/deals/deliver/{id}': { post: Op<DealAnswer, never, never, ById> };
  '/deals/complete/{id}': { post: Op<DealAnswer | Pending, never, never, ById> };
  '/operations/{id}': { get: Op<Operation, never, never, ById> };
  '/public/public-stats': { get: Op<PublicStats> };
  '/admin/deposits': { get: Op<AdminDeposits, never, Paging & { status?: DepositStatus }> };
  '/admin/deposits/{id}/claim': { post: Op<AdminDepositAnswer, never, never, ById> };
  '/admin/deposit/approve/{id}': {
    post: Op<AdminDepositAnswer | Pending, { amount: number; userId: string; reason?: string }, never, ById>;
  };
  '/admin/deposit/reject/{id}': { post: Op<AdminDepositAnswer, { reason?: string }, never, ById> };
  '/admin/withdrawals': { get: Op<AdminWithdrawals, never, Paging & { status?: WithdrawalStatus }> };
  '/admin/withdrawals/{id}/claim': { post: Op<AdminWithdrawalAnswer, never, never, ById> };
  '/admin/withdrawals/{id}/send': {
    post: Op<AdminWithdrawalAnswer | Pending, { amount: number; transactionId?: string }, never, ById>;
  };
  '/admin/withdrawals/{id}/reject': { post: Op<AdminWithdrawalAnswer | Pending, { reason?: string }, never, ById> };
  '/admin/exchange-rate': { put: Op<ExchangeRate, { usdToBdt: number }> };
}
