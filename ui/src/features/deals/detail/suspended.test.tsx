import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { ACTIVE, aDetail, closePage, DELIVERED, movesIn, openDeal, REQUESTED, serveDeal, tanvir } from '@/testing/deals';
import { nusrat } from '@/testing/server';

const ON_HOLD = { frozen: true, suspended: true, suspendedAt: '2026-11-12T04:00:00Z' } as const;
const SUSPENDED = { ...ON_HOLD, sellerSuspended: true } as const;
const PAST_EXIT = { dueAt: '2020-01-01T00:00:00Z', exitAt: '2020-01-02T00:00:00Z' } as const;

beforeEach(serveDeal);

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
