import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Deal } from '@/api/contract';
import { dealsAre } from '@/testing/deal-lists';
import { SHIPPED } from '@/testing/deals';
import { renderAt } from '@/testing/render';
import { aDeal, nusrat, server, signedInAs } from '@/testing/server';
import { pendingActionOf } from './pending-actions';

const NOW = Date.parse('2026-11-20T00:00:00Z');
const ACTIVE = { status: 'Active', activatedAt: '2026-11-08T04:14:00Z' } as const;
const HELD = { frozen: true, suspended: true, suspendedAt: '2026-11-12T04:00:00Z' } as const;
const DELIVERED = { ...ACTIVE, status: 'Delivered' } as const;
const LATE = { ...ACTIVE, status: 'Late' } as const;

describe('what a deal waits for', () => {
  it.each<[string, Partial<Deal>, string | null, string | null]>([
    ['Pending', {}, 'pay', null],
    ['not accepted', { acceptedAt: null }, 'payEarly', 'agree'],
    ['a counter-offer of the seller', { counterofferBy: 'u-tanvir' }, 'answerCounter', null],
    ['a counter-offer of the buyer', { acceptedAt: null, counterofferBy: 'u-nusrat' }, null, 'answerCounter'],
    ['paid and not accepted', { ...ACTIVE, acceptedAt: null }, null, 'agree'],
    ['late and not accepted', { ...LATE, acceptedAt: null }, null, 'agree'],
    ['Active', ACTIVE, null, 'deliver'],
    ['Late', { ...LATE, exitAt: '2026-11-21T00:00:00Z' }, null, 'deliverLate'],
    ['Late, past the exit time', { ...LATE, exitAt: '2026-11-20T00:00:00Z' }, 'leave', 'deliverLate'],
    ['Delivered', DELIVERED, 'check', null],
    ['on its way', SHIPPED, 'receive', null],
    ['a request', { ...ACTIVE, cancellationRequested: true }, null, 'answer'],
    ['a request, late', { ...LATE, cancellationRequested: true }, null, 'answer'],
    ['a declined request', { ...ACTIVE, cancellationDeclined: true }, 'declined', 'deliver'],
    ['asked again after a no', { ...ACTIVE, cancellationDeclined: true, cancellationRequested: true }, null, 'answer'],
    ['delivered after a no', { ...ACTIVE, status: 'Delivered', cancellationDeclined: true }, 'check', null],
    ['Pending, the seller suspended', { sellerSuspended: true }, null, null],
    ['not accepted, the buyer suspended', { acceptedAt: null, buyerSuspended: true }, 'payEarly', null],
    ['on hold for its buyer', { ...ACTIVE, ...HELD, buyerSuspended: true }, null, null],
    ['delivered, on hold', { ...ACTIVE, ...HELD, status: 'Delivered', sellerSuspended: true }, null, null],
    ['paused', { ...LATE, frozen: true }, null, null],
    ['before an admin', { ...DELIVERED, escalated: true }, null, null],
    ['the seller gone', { ...ACTIVE, ...HELD, sellerSuspended: true, exitAt: '2026-11-21T00:00:00Z' }, 'leaveSuspended', null],
    [
      'a dispute to answer',
      { ...DELIVERED, openDispute: { _id: 'x-1', buyerTurn: null, sellerTurn: 'answer' } },
      null,
      'disputeAnswer',
    ],
    [
      'a dispute with an offer for the buyer',
      { ...ACTIVE, openDispute: { _id: 'x-1', buyerTurn: 'offer', sellerTurn: null } },
      ...(['disputeOffer', null] as const),
    ],
    [
      'a decided dispute',
      { ...DELIVERED, openDispute: { _id: 'x-1', buyerTurn: 'decision', sellerTurn: 'decision' } },
      ...(['disputeDecision', 'disputeDecision'] as const),
    ],
    ['over', { status: 'Cancelled', cancellationDeclined: true, exitAt: '2026-11-01T00:00:00Z' }, null, null],
  ])('%s', (_, over, buyers, sellers) => {
    const deal = aDeal(over);
    expect(pendingActionOf(deal, deal.buyer._id, NOW)).toBe(buyers);
    expect(pendingActionOf(deal, deal.seller._id, NOW)).toBe(sellers);
  });
});

describe('"Needs your action"', () => {
  beforeEach(() => signedInAs(nusrat));

  const lines = async (...deals: Deal[]) => {
    dealsAre(...deals);
    renderAt('/dashboard');
    const list = within(await screen.findByRole('region', { name: /^Needs your action/ }));
    return list.getAllByRole('listitem').map(({ textContent }) => textContent);
  };

  it('lists a counter-offer of the other, and none of one’s own', async () => {
    const [line, ...rest] = await lines(
      aDeal({ counterofferBy: 'u-tanvir', nextAction: 'expire', nextActionAt: '2026-11-22T04:02:00Z' }),
      aDeal({ _id: 'd-2', counterofferBy: 'u-nusrat' }),
    );
    expect(line).toContain('tanvir proposes other terms. Please answer.');
    expect(line).toContain('Nothing can be paid until then.');
    expect(rest).toEqual([]);
  });

  it('says what happens if nothing is done, the most pressing first', async () => {
    const delivered = { ...ACTIVE, status: 'Delivered', nextAction: 'complete', nextActionAt: '2026-11-25T04:00:00Z' } as const;
    const asked = { ...ACTIVE, cancellationRequested: true, nextAction: 'refund_unanswered' } as const;
    const swapped = { buyer: aDeal().seller, seller: aDeal().buyer };
    const [first, second] = await lines(
      aDeal({ ...delivered, description: 'Logo for Kashful.\nTwo rounds.' }),
      aDeal({ _id: 'd-2', ...asked, ...swapped, nextActionAt: '2026-11-23T04:00:00Z' }),
    );
    expect(first).toContain('tanvir asked to cancel. Please respond.');
    expect(first).toContain('Without a response, tanvir is refunded on 23 Nov, 10:00.');
    expect(second).toContain('Logo for Kashful');
    expect(second).not.toContain('Two rounds');
    expect(second).toContain('If you do not respond, tanvir is paid on 25 Nov, 10:00.');
  });

  it('leads to a dispute that waits for an answer, before all else', async () => {
    const swapped = { buyer: aDeal().seller, seller: aDeal().buyer };
    const openDispute = { _id: 'x-1', buyerTurn: null, sellerTurn: 'answer' } as const;
    const [first, second] = await lines(
      aDeal({ ...ACTIVE, cancellationRequested: true, ...swapped }),
      aDeal({ _id: 'd-2', ...DELIVERED, ...swapped, frozen: true, openDispute }),
      aDeal({ _id: 'd-3', ...LATE, frozen: true, openDispute, exitAt: '2020-01-01T00:00:00Z' }),
    );
    expect(first).toContain('tanvir opened a dispute. Please answer.');
    expect(first).not.toContain('Support is reviewing it');
    expect(second).toContain('tanvir asked to cancel');
    expect(screen.getByRole('link', { name: /opened a dispute/ })).toHaveAttribute('href', '/disputes/x-1');
    expect(screen.getByRole('link', { name: /You can cancel for a full refund/ })).toHaveAttribute('href', '/deal/d-3');
  });

  it('asks to accept what a buyer has made, and says whether it is paid', async () => {
    const swapped = { buyer: aDeal().seller, seller: aDeal().buyer, acceptedAt: null };
    const [first, second] = await lines(aDeal({ ...swapped, ...ACTIVE }), aDeal({ _id: 'd-2', ...swapped }));
    expect(first).toContain('tanvir wants a deal for $480.00: accept or decline');
    expect(first).toContain('Already paid: Amanat holds $470.40 for you.');
    expect(second).toContain('Nothing is paid yet.');
  });

  it('finds what waits among any number of deals', async () => {
    const others = Array.from({ length: 150 }, (_, index) =>
      aDeal({ _id: `d-${index}`, ...ACTIVE, exitAt: '2126-11-21T00:00:00Z' }),
    );
    const [line, ...more] = await lines(
      ...others,
      aDeal({ _id: 'd-old', ...ACTIVE, status: 'Delivered', description: 'The oldest' }),
    );
    expect(line).toContain('The oldest');
    expect(more).toEqual([]);
  });

  it('tells nobody to pay or deliver what is on hold, and the list of deals says why', async () => {
    const swapped = { buyer: aDeal().seller, seller: aDeal().buyer };
    const [line, ...more] = await lines(
      aDeal({ ...ACTIVE, status: 'Delivered', description: 'To check' }),
      aDeal({ _id: 'd-2', acceptedAt: null, sellerSuspended: true, description: 'To pay' }),
      aDeal({ _id: 'd-3', ...ACTIVE, ...HELD, ...swapped, buyerSuspended: true, description: 'To deliver' }),
    );
    expect(line).toContain('To check');
    expect(more).toEqual([]);
    const ledger = within(screen.getByRole('table'));
    expect(ledger.getByRole('row', { name: /^To pay/ })).toHaveTextContent('The account of tanvir is suspended');
    expect(ledger.getByRole('row', { name: /^To deliver/ })).toHaveTextContent('On hold until Amanat decides');
  });

  it('promises no date while support looks at a deal', async () => {
    const late = { ...LATE, exitAt: '2020-01-01T00:00:00Z' } as const;
    const [line] = await lines(aDeal({ ...late, frozen: true, nextAction: 'refund', nextActionAt: null }));
    expect(line).toMatch(/You can cancel for a full refund\. $/);
  });

  it('lists one’s own offer once there is money to pay it', async () => {
    const mine = { acceptedAt: null } as const;
    const wallet = { wallet: 480, inEscrow: 0, inEscrowSales: 0, pendingWithdrawal: 0, minWithdrawal: 1 };
    server.use(http.get('*/api/wallet', () => HttpResponse.json(wallet)));
    const [line, ...more] = await lines(aDeal(mine), aDeal({ _id: 'd-2', ...mine, price: 480.01 }));
    expect(line).toContain('You can pay $480.00 now');
    expect(line).toContain('If tanvir declines, you get it all back.');
    expect(more).toEqual([]);
  });
});
