import { cleanup, screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { vi } from 'vitest';
import type { DealDetail, Operation, User } from '@/api/contract';
import type { Outcome } from '@/i18n/sentences.gen';
import { doneAs } from './outcomes';
import { renewQueryClient } from './query-client';
import { renderAt } from './render';
import { aDeal, nusrat, server, signedInAs } from './server';

export const tanvir: User = { ...nusrat, _id: 'u-tanvir', username: 'tanvir' };

const PAID = { activatedAt: '2026-11-08T04:14:00Z' } as const;
/** The exit date is far in the future. */
export const ACTIVE = { ...PAID, status: 'Active', exitAt: '2126-11-23T04:02:00Z' } as const;
export const DELIVERED = { ...PAID, status: 'Delivered', deliveredAt: '2026-11-16T09:52:00Z', delivered: true } as const;
/** On its way, until 2126. */
export const SHIPPED = {
  ...DELIVERED,
  shipment: { courier: 'Pathao', trackingNumber: 'DA77', arrivedAt: null, arrivesBy: '2126-11-21T09:52:00Z' },
} as const;
/** The buyer has asked to cancel, and the seller has three days to answer. */
export const REQUESTED = {
  ...ACTIVE,
  cancellationRequested: true,
  requestsLeft: 2,
  nextAction: 'refund_unanswered',
  nextActionAt: '2126-11-12T04:02:00Z',
} as const;
export const COMPLETED = { ...DELIVERED, status: 'Completed', closedAt: '2026-11-20T09:00:00Z' } as const;

/** The server's state, which calls of the page and tests change. */
export const held = { deal: aDetail(), wallet: 0 };

/** A deal offered by Tanvir (seller) to Nusrat (buyer). */
export function aDetail(over: Partial<DealDetail> = {}): DealDetail {
  const deal = aDeal(over);
  const offered = {
    _id: 'e-1',
    kind: 'line_created',
    message: 'tanvir offered the deal',
    at: deal.createdAt,
    actor: deal.seller,
    pictures: [],
  };
  return { ...deal, timeline: [offered], ...over };
}

/** Call before each test. */
export function serveDeal(): void {
  held.wallet = 512.4;
  isWide(true);
  server.use(
    http.get('*/api/deals/d-1', () => HttpResponse.json(held.deal)),
    http.get('*/api/wallet', () =>
      HttpResponse.json({ wallet: held.wallet, inEscrow: 0, inEscrowSales: 0, pendingWithdrawal: 0, minWithdrawal: 1 }),
    ),
  );
}

/** Sets the screen to a desktop's or a phone's width. */
export function isWide(wide: boolean): void {
  vi.stubGlobal('matchMedia', () => ({ matches: wide, addEventListener: () => undefined, removeEventListener: () => undefined }));
}

/** Postpones the review, so that its dialog does not cover the page. */
export function postponeReview(): void {
  sessionStorage.setItem('draft:review-later:u-nusrat:d-1', JSON.stringify({ later: 'yes' }));
}

/** Opens the deal's page as a party. */
export async function openDeal(user: User, deal: DealDetail) {
  held.deal = deal;
  signedInAs(user);
  const app = renderAt('/deal/d-1');
  await screen.findByRole('heading', { level: 1, name: 'Ranna Ghor 24' });
  // The phone's bar is in the document, too, since jsdom has no widths.
  const panel = within(screen.getByRole('complementary', { name: 'Next step and amounts' }));
  return { ...app, panel, sentence: within(screen.getByRole('main')).getByRole('status') };
}

/** The buttons of actions, without the message button. */
export function movesIn(panel: Awaited<ReturnType<typeof openDeal>>['panel']): string[] {
  const buttons = panel.queryAllByRole('button').filter((button) => !button.textContent.startsWith('Message '));
  return buttons.map((button) => button.textContent.replace(/Payment processing|Sending…/, ''));
}

/** Opens a closed part of the page, and returns it. */
export async function unfold({ user }: Pick<Awaited<ReturnType<typeof openDeal>>, 'user'>, title: string) {
  const heading = await screen.findByRole('heading', { level: 2, name: title });
  await user.click(heading);
  return within(heading.closest('details') as HTMLElement);
}

/** Leaves the page and forgets its data, so that another user may open it. */
export function closePage(): void {
  cleanup();
  renewQueryClient();
}

/** The response to an action. */
export function dealChange(outcome: Outcome, deal: DealDetail) {
  return HttpResponse.json({
    ...doneAs(outcome),
    deal,
    status: deal.status,
    cancellationRequested: deal.cancellationRequested,
    cancellationDeclined: deal.cancellationDeclined,
  });
}

/** Answers a path, changes the deal, and records the body. */
export function answers(path: string, outcome: Outcome, over: Partial<DealDetail>) {
  const sentKeys: (string | null)[] = [];
  server.use(
    http.post(`*/api/deals/${path}/d-1`, ({ request }) => {
      sentKeys.push(request.headers.get('Idempotency-Key'));
      held.deal = aDetail(over);
      return dealChange(outcome, held.deal);
    }),
  );
  return sentKeys;
}

/** A running money operation on the deal. */
export function underWay(kind: 'deal_pay' | 'deal_complete' | 'deal_refund', id = 'op-1'): Operation {
  return { _id: id, kind, status: 'pending', subject: 'deal:d-1', createdAt: '2026-11-08T04:14:00Z' };
}
