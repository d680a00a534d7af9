import { HttpResponse, http } from 'msw';
import type { AdminDeposit, AdminWithdrawal, Deal, DealDetail, Operation, SupportRequest, User } from '@/api/contract';
import { omit } from '@/testing/omit';
import { aDeal, nusrat, server, signedInAs } from '@/testing/server';

export const nadia: User = { ...nusrat, _id: 'u-nadia', username: 'nadia', email: 'nadia@example.com', isAdmin: true };
export const karim = { _id: 'u-karim', username: 'karim', profilePic: '', isStaff: false };
const sabbir = { _id: 'u-sabbir', username: 'sabbir', profilePic: '', isStaff: false, email: 'sabbir@example.com' };

export const soon = (): string => new Date(Date.now() + 5 * 60_000).toISOString();
export const mine = () => ({
  admin: { _id: nadia._id, username: nadia.username, profilePic: '', isStaff: false },
  until: soon(),
});
const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

export function aQueuedDeposit(over: Partial<AdminDeposit> = {}): AdminDeposit {
  return {
    _id: 'dep-1',
    user: sabbir,
    amount: 80,
    claimedAmount: 80,
    convertedAmount: 9840,
    rate: 123,
    transactionId: 'CKJ8H5TY2M',
    paymentMethod: 'Bkash',
    actionType: 'deposit',
    status: 'pending',
    reason: null,
    reasonCode: null,
    createdAt: minutesAgo(46),
    handledAt: null,
    dealId: null,
    paysDeal: false,
    isVerified: true,
    claim: null,
    handledBy: null,
    history: { approved: 9, refused: 0, waiting: 0 },
    sameTransactionId: 0,
    disputed: false,
    expired: false,
    disputes: [],
    creditRate: 123,
    creditAmount: over.claimedAmount ?? 80,
    awaitingConfirmation: null,
    evidence: null,
    receiver: null,
    ...over,
  };
}

export function aQueuedWithdrawal(over: Partial<AdminWithdrawal> = {}): AdminWithdrawal {
  return {
    _id: 'wd-1',
    user: sabbir,
    amount: 40,
    convertedAmount: 4880,
    rate: 122,
    phonenumber: '01712448840',
    paymentMethod: 'Nagad',
    method: 'Nagad',
    actionType: 'withdraw',
    transactionId: null,
    status: 'pending',
    reason: null,
    requestedAt: minutesAgo(12),
    handledAt: null,
    cancelledAt: null,
    onHold: false,
    heldUntil: null,
    heldReasons: [],
    confirmedAt: null,
    disownedAt: null,
    claimedBeforeStop: false,
    claimedAt: null,
    evidence: null,
    isVerified: true,
    userSince: '2026-03-01T00:00:00Z',
    passwordResetAt: null,
    sentToNumber: 2,
    claim: null,
    handledBy: null,
    history: { approved: 3, refused: 0, waiting: 0 },
    held: false,
    ...over,
  };
}

export function anOperation(kind: string, over: Partial<Operation> = {}): Operation {
  return { _id: 'op-1', kind, status: 'pending', subject: 'x:1', createdAt: minutesAgo(0), ...over };
}

/** An open deal of $480 between Nusrat (buyer) and Tanvir (seller). */
export function anOpenDeal(over: Partial<Deal> = {}): DealDetail {
  const paid = { _id: 'e-1', kind: 'line_paid', message: 'nusrat paid', at: '2026-11-08T04:14:00Z', actor: null, pictures: [] };
  return { ...aDeal({ status: 'Active', activatedAt: '2026-11-08T04:14:00Z', ...over }), timeline: [paid] };
}

export function aSupportRequest(over: Partial<SupportRequest> = {}): SupportRequest {
  return {
    _id: 'sup-1',
    userId: nusrat._id,
    username: nusrat.username,
    user: { _id: nusrat._id, username: nusrat.username, profilePic: '', isStaff: false },
    dealId: 'd-1',
    dealDescription: 'Ranna Ghor 24',
    issueDescription: 'The seller does not answer.',
    createdAt: minutesAgo(200),
    closedAt: null,
    closedBy: null,
    answer: '',
    ...over,
  };
}

/** A bare list as the server sends it: filtered, paged, with the total in a header. */
export function bareList(rows: readonly object[], request: Request): Response {
  const query = new URL(request.url).searchParams;
  const limit = Number(query.get('limit'));
  const from = (Number(query.get('page')) - 1) * limit;
  return HttpResponse.json(rows.slice(from, from + limit), { headers: { 'X-Total-Count': String(rows.length) } });
}

/** Signs in as Nadia, with these deals and support requests. */
export function dealQueues(deals: DealDetail[] = [], requests: SupportRequest[] = []) {
  queues();
  const asked: URLSearchParams[] = [];
  server.use(
    http.get('*/api/admin/deals', ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(query);
      const found = deals.filter(
        ({ _id, status, escalated, suspended }) =>
          (!query.has('dealId') || query.get('dealId') === _id) &&
          (!query.has('status') || query.get('status') === status) &&
          (!query.has('escalated') || escalated || suspended),
      );
      const rows = found.map((deal) => omit(deal, 'timeline'));
      return bareList(rows, request);
    }),
    http.get('*/api/deals/:id', ({ params }) => {
      const deal = deals.find(({ _id }) => _id === params.id);
      return deal
        ? HttpResponse.json(deal)
        : HttpResponse.json({ code: 'not_found', message: 'Deal not found.' }, { status: 404 });
    }),
    http.get('*/api/admin/support-request', ({ request }) => {
      const open = new URL(request.url).searchParams.has('open');
      return bareList(open ? requests.filter(({ closedAt }) => closedAt === null) : requests, request);
    }),
  );
  return { deals, requests, asked };
}

/** The refusal of a claim to a row that another admin has handled. */
const gone = () => refusal(409, 'already_handled', 'Already handled by karim at 19 Nov 2026, 10:59.')();

const paged = (total: number) => ({ success: true, page: 1, pages: 1, total });

/** Signs in as Nadia, with these queues. Claims succeed; tests may remove rows later. */
export function queues(deposits: AdminDeposit[] = [], withdrawals: AdminWithdrawal[] = []) {
  signedInAs(nadia);
  const claims: string[] = [];
  const asked: URLSearchParams[] = [];
  server.use(
    http.get('*/api/admin/deals', ({ request }) => bareList([], request)),
    http.get('*/api/admin/support-request', ({ request }) => bareList([], request)),
    http.get('*/api/admin/deposits', ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      const totalAmount = deposits.reduce((sum, { claimedAmount }) => sum + claimedAmount, 0);
      return HttpResponse.json({
        ...paged(deposits.length),
        totalAmount,
        deposits,
        secondAdminAbove: 1000,
        receivedTakaAbove: 500,
      });
    }),
    http.get('*/api/admin/disputes', () => HttpResponse.json({ page: 1, pages: 1, total: 0, disputes: [] })),
    http.get('*/api/admin/corrections', () => HttpResponse.json({ page: 1, pages: 1, total: 0, corrections: [] })),
    http.get('*/api/admin/reports', () => HttpResponse.json({ ...paged(0), cases: [] })),
    http.get('*/api/admin/withdrawals', () => HttpResponse.json({ ...paged(withdrawals.length), withdrawals })),
    http.post('*/api/admin/deposits/:id/claim', ({ params }) => {
      claims.push(String(params.id));
      const row = deposits.find(({ _id }) => _id === params.id);
      return row ? HttpResponse.json({ message: '', deposit: { ...row, claim: mine() } }) : gone();
    }),
    http.post('*/api/admin/withdrawals/:id/claim', ({ params }) => {
      claims.push(String(params.id));
      const row = withdrawals.find(({ _id }) => _id === params.id);
      return row ? HttpResponse.json({ message: '', withdrawal: { ...row, claim: mine(), claimedAt: minutesAgo(0) } }) : gone();
    }),
  );
  return { deposits, withdrawals, claims, asked };
}

/** Records the calls of a path and sends the responses in turn; the last one repeats. */
export function onPost(path: string, ...answers: (() => Response)[]) {
  const calls: { body: unknown; key: string | null }[] = [];
  server.use(
    http.post(`*/api${path}`, async ({ request }) => {
      const text = await request.text();
      calls.push({ body: text ? JSON.parse(text) : null, key: request.headers.get('Idempotency-Key') });
      return (answers.length > 1 ? answers.shift() : answers[0])?.();
    }),
  );
  return calls;
}

export const refusal = (status: number, code: string, message: string, fields?: Record<string, string>) => () =>
  HttpResponse.json({ code, message, fields }, { status });
