import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DealDetail } from '@/api/contract';
import {
  ACTIVE,
  aDetail,
  COMPLETED,
  closePage,
  DELIVERED,
  movesIn,
  openDeal,
  postponeReview,
  REQUESTED,
  serveDeal,
  tanvir,
  unfold,
} from '@/testing/deals';
import { nusrat } from '@/testing/server';

const AGAIN = { ...ACTIVE, exitAt: null, nextAction: 'escalate', nextActionAt: '2126-11-20T04:00:00Z' } as const;
const LATE = { ...ACTIVE, status: 'Late', dueAt: '2020-01-01T00:00:00Z' } as const;
const ENDED = { status: 'Cancelled', activatedAt: ACTIVE.activatedAt, closedAt: '2026-11-24T04:00:00Z', exitAt: null } as const;

const endedBy = (kind: string): Partial<DealDetail> => ({
  ...COMPLETED,
  timeline: [{ _id: 'e-9', kind, message: '', at: '2026-11-20T09:00:00Z', actor: null, pictures: [] }],
});

beforeEach(() => {
  serveDeal();
  postponeReview();
});

describe('the one sentence', () => {
  it.each([
    ['an open request', REQUESTED, 'You asked tanvir to cancel.', 'nusrat asked to cancel. Accept or decline.'],
    ['changes', AGAIN, 'You requested changes. tanvir must deliver again.', 'nusrat requested changes. Deliver again.'],
    ['a frozen deal', { ...ACTIVE, frozen: true }, 'Deadlines are paused.', 'Deadlines are paused.'],
    [
      'a deal whose buyer is suspended',
      { ...ACTIVE, frozen: true, suspended: true, buyerSuspended: true },
      'Your account was suspended.',
      'The account of nusrat is suspended. The deal is on hold, and Amanat decides who gets the money.',
    ],
    ['an admin’s deal', { ...AGAIN, escalated: true }, 'An admin is reviewing it', 'An admin is reviewing it'],
    ['a late deal', LATE, 'tanvir should have delivered by', 'Deliver to nusrat now.'],
    [
      'a deal to leave',
      { ...LATE, exitAt: '2020-01-02T00:00:00Z' },
      'You can cancel and get everything back.',
      'Deliver to nusrat now.',
    ],
    [
      'the clock’s completion',
      endedBy('line_clock_completed'),
      'The inspection period ended, and tanvir received $470.40.',
      '$470.40 was added to your balance.',
    ],
    [
      'an admin’s completion',
      endedBy('line_admin_completed'),
      'Amanat made the decision: tanvir received $470.40.',
      'Amanat made the decision: $470.40',
    ],
  ] as const)('fits %s for both sides', async (_what, over, buyers, sellers) => {
    expect((await openDeal(nusrat, aDetail(over))).sentence).toHaveTextContent(buyers);
    closePage();
    expect((await openDeal(tanvir, aDetail(over))).sentence).toHaveTextContent(sellers);
  });

  it.each([
    ['accepted', 470.4, 'tanvir accepted your request. $470.40 was refunded to your balance; the fee was $9.60.'],
    ['unanswered', 470.4, 'tanvir did not respond to your request. $470.40 was refunded to your balance; the fee was $9.60.'],
    ['unanswered', 480, 'tanvir did not respond to your request. All $480.00 was refunded to your balance.'],
    ['seller', 480, 'tanvir cancelled it. All $480.00 was refunded to your balance.'],
    [
      'seller_disabled',
      480,
      'You cancelled it because the account of tanvir was suspended. All $480.00 was refunded to your balance.',
    ],
    ['exit', 480, 'You cancelled it because it was late. All $480.00 was refunded to your balance.'],
    ['overdue', 480, 'tanvir never delivered. All $480.00 was refunded to your balance.'],
    ['admin', 480, 'Amanat made the decision. All $480.00 was refunded to your balance.'],
  ] as const)('says why it ended (%s) and what came back', async (closeReason, refund, text) => {
    const { sentence } = await openDeal(nusrat, aDetail({ ...ENDED, closeReason, refund }));
    expect(sentence).toHaveTextContent(`This deal was cancelled. ${text}`);
  });
});

describe('the figures after a cancellation', () => {
  it('show the fee that was taken and what came back, exactly', async () => {
    const app = await openDeal(nusrat, aDetail({ ...ENDED, closeReason: 'accepted', refund: 470.4 }));
    const money = await unfold(app, 'Money and dates');
    expect(money.getByText('You paid').closest('dl')).toHaveTextContent(
      'You paid$480.00Amanat’s fee, 2%− $9.60You got back$470.40',
    );
    expect(screen.getByRole('group', { name: 'The buyer has $470.40' })).toHaveTextContent('$9.60 fee kept');
  });

  it('show no fee where none was taken', async () => {
    const app = await openDeal(tanvir, aDetail({ ...ENDED, closeReason: 'seller', refund: 480 }));
    const money = (await unfold(app, 'Money and dates')).getByText('nusrat paid').closest('dl');
    expect(money).toHaveTextContent('nusrat paid$480.00nusrat got back$480.00');
    expect(money).not.toHaveTextContent('fee');
  });
});

describe('the clock', () => {
  it.each([
    ['pays the seller', nusrat, { ...DELIVERED, nextAction: 'complete' }, 'Auto-release to tanvir in'],
    ['pays oneself', tanvir, { ...DELIVERED, nextAction: 'complete' }, 'You’re paid automatically in'],
    ['accepts a request', nusrat, REQUESTED, 'Accepted automatically in'],
    ['calls an admin', nusrat, AGAIN, 'Amanat decides after'],
    ['gives back what is late', nusrat, { ...LATE, nextAction: 'refund' }, 'You’re refunded automatically in'],
    ['takes back what is late', tanvir, { ...LATE, nextAction: 'refund' }, 'Auto-refund to nusrat in'],
  ] as const)('says what happens by itself when it %s', async (_what, user, over, label) => {
    const { panel } = await openDeal(user, aDetail({ ...over, nextActionAt: '2126-12-01T04:00:00Z' }));
    expect(panel.getByText(label)).toBeVisible();
    expect(panel.getByRole('timer')).toBeVisible();
    expect(panel.getByText(/1 December 2126/)).toBeVisible();
  });

  it('says that it is about to act once its time has come', async () => {
    const { panel } = await openDeal(
      nusrat,
      aDetail({ ...DELIVERED, nextAction: 'complete', nextActionAt: '2020-12-01T04:00:00Z' }),
    );
    expect(panel.getByText('Continues automatically')).toBeVisible();
    expect(panel.getByText('Any moment now')).toBeVisible();
    expect(panel.queryByText(/automatically in|Auto-/)).toBeNull();
  });

  it('counts to the due date while nothing is late, and says what happens after it', async () => {
    const due = { dueAt: '2126-11-22T04:02:00Z', nextAction: 'refund', nextActionAt: '2126-12-06T04:02:00Z' } as const;
    const app = await openDeal(nusrat, aDetail({ ...ACTIVE, ...due }));
    expect(app.panel.getByText('Due in')).toBeVisible();
    const refund = (await unfold(app, 'Money and dates')).getByText('Refunded if not delivered');
    expect(refund.parentElement).toHaveTextContent('6 Dec 2126');
  });

  it('stands still while support looks, and says so', async () => {
    const frozen = { frozen: true, nextAction: 'complete', nextActionAt: null } as const;
    const { panel, sentence } = await openDeal(nusrat, aDetail({ ...DELIVERED, ...frozen }));
    expect(sentence).toHaveTextContent('Support is reviewing this deal. Deadlines are paused.');
    expect(panel.getByRole('heading', { name: 'Under review' })).toBeVisible();
    expect(panel.queryByRole('timer')).toBeNull();
    expect(screen.getByText('Deadlines paused')).toBeVisible();
    // It can be released, but nothing asks for it: no bar, and the button does not stand out.
    const release = screen.getByRole('button', { name: 'Release $480.00' });
    expect(release).toBeEnabled();
    expect(release).toHaveAttribute('data-variant', 'outline');
  });
});

const ON_HOLD = { frozen: true, suspended: true, suspendedAt: '2026-11-12T04:00:00Z' } as const;
const SUSPENDED = { ...ON_HOLD, sellerSuspended: true } as const;
const PAST_EXIT = { dueAt: '2020-01-01T00:00:00Z', exitAt: '2020-01-02T00:00:00Z' } as const;

describe('a deal whose seller is suspended', () => {
  it.each([
    ['active', ACTIVE],
    ['with a request open', REQUESTED],
  ] as const)('that was never delivered can be cancelled at once (%s)', async (_what, over) => {
    const { panel, sentence, user } = await openDeal(nusrat, aDetail({ ...over, ...SUSPENDED }));
    expect(sentence).toHaveTextContent('The account of tanvir is suspended. You can cancel and get everything back.');
    expect(screen.getByText('On hold')).toBeVisible();
    await user.click(panel.getByRole('button', { name: 'Cancel and get $480.00 back' }));
    const asked = within(await screen.findByRole('alertdialog', { name: 'Cancel this deal?' }));
    expect(asked.getByText(/All \$480\.00 is refunded to your balance; there is no fee\./)).toBeVisible();
  });

  it('that was delivered waits for Amanat', async () => {
    const { panel, sentence } = await openDeal(nusrat, aDetail({ ...DELIVERED, ...SUSPENDED }));
    expect(sentence).toHaveTextContent(
      'The account of tanvir is suspended. The deal is on hold, and Amanat decides who gets the money.',
    );
    expect(panel.queryByRole('button', { name: 'Cancel and get $480.00 back' })).toBeNull();
  });

  it.each([
    ['offered by the seller', '2026-11-08T04:00:00Z'],
    ['not accepted', null],
  ])('cannot be paid (%s)', async (_what, acceptedAt) => {
    const { panel, sentence } = await openDeal(nusrat, aDetail({ sellerSuspended: true, acceptedAt }));
    expect(sentence).toHaveTextContent('The account of tanvir is suspended, so this deal cannot go on now.');
    expect(panel.getByText('The account of tanvir is suspended, so this deal cannot be paid.')).toBeVisible();
    expect(panel.getByRole('heading', { name: 'On hold' })).toBeVisible();
    expect(movesIn(panel)).toEqual(['Decline']);
    expect(screen.queryByRole('button', { name: /Accept & Pay/ })).toBeNull();
  });
});

describe('a deal whose buyer is suspended', () => {
  it.each([
    ['not accepted', null],
    ['accepted', '2026-11-08T04:00:00Z'],
  ])('can only be withdrawn or declined while nothing is paid (%s)', async (_what, acceptedAt) => {
    const { panel } = await openDeal(tanvir, aDetail({ buyerSuspended: true, acceptedAt }));
    expect(panel.getByText('The account of nusrat is suspended, so this deal cannot be paid.')).toBeVisible();
    expect(movesIn(panel)).toEqual(['Withdraw offer']);
  });

  it('is on hold: nobody’s move, and no bar asks the seller to deliver', async () => {
    const { panel } = await openDeal(tanvir, aDetail({ ...ACTIVE, ...ON_HOLD, buyerSuspended: true }));
    expect(panel.getByRole('heading', { name: 'On hold' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Mark as delivered' })).toHaveAttribute('data-variant', 'outline');
  });
});

it('past the exit, accepting gives the whole price back, and says so before', async () => {
  const late = aDetail({ ...REQUESTED, status: 'Late', ...PAST_EXIT });
  const { panel, user } = await openDeal(tanvir, late);
  expect(panel.getByText(/If you accept, nusrat gets \$480\.00 back/)).toBeVisible();
  await user.click(panel.getByRole('button', { name: 'Accept cancellation' }));
  const asked = within(await screen.findByRole('alertdialog', { name: 'Accept the cancellation?' }));
  expect(asked.getByText(/nusrat gets \$480\.00 back, and you get nothing/)).toBeVisible();
  expect(asked.getByText('Amanat’s fee')).toBeVisible();
  closePage();
  const early = await openDeal(tanvir, aDetail(REQUESTED));
  expect(early.panel.getByText(/If you accept, nusrat gets \$470\.40 back/)).toBeVisible();
});
