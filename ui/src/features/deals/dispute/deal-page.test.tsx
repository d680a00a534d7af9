import { screen, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { ACTIVE, aDetail, COMPLETED, DELIVERED, movesIn, openDeal, postponeReview, REQUESTED, tanvir } from '@/testing/deals';
import { serveDispute } from '@/testing/disputes';
import { nusrat } from '@/testing/server';

/** A dispute that waits for neither party. */
const RUNNING = { openDispute: { _id: 'x-1', buyerTurn: null, sellerTurn: null } } as const;
const DISPUTED = { ...DELIVERED, ...RUNNING, frozen: true, dispute: { _id: 'x-1', status: 'open' } } as const;
const SETTLED = {
  ...COMPLETED,
  closeReason: 'settled',
  refund: 200,
  payout: 274.4,
  fee: 5.6,
  dispute: { _id: 'x-1', status: 'settled' },
} as const;

beforeEach(serveDispute);

it('a running dispute stands in the place of the large release, which moves to the second row', async () => {
  const { panel, sentence } = await openDeal(nusrat, aDetail(DISPUTED));
  expect(panel.getByRole('heading', { name: 'In dispute' })).toBeVisible();
  expect(panel.getByRole('link', { name: 'Open the dispute' })).toHaveAttribute('href', '/disputes/x-1');
  expect(sentence).toHaveTextContent('$480.00 is held by Amanat. It stays there until the dispute is settled.');
  expect(movesIn(panel)).toEqual(['Release $480.00', 'Request changes', 'Report a problem']);
  expect(panel.getByRole('button', { name: 'Release $480.00' })).toHaveAttribute('data-variant', 'outline');
  // Nor is it in the phone's bar.
  expect(screen.getAllByRole('button', { name: 'Release $480.00' })).toHaveLength(1);
});

it('asks the seller of a disputed deal for nothing', async () => {
  const { panel } = await openDeal(tanvir, aDetail({ ...ACTIVE, ...RUNNING, dispute: { _id: 'x-1', status: 'open' } }));
  expect(panel.getByRole('heading', { name: 'In dispute' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Mark as delivered' })).toHaveAttribute('data-variant', 'outline');
});

it('a dispute that waits for the reader is their turn, and in the bar', async () => {
  const offered = { openDispute: { _id: 'x-1', buyerTurn: 'offer', sellerTurn: null } } as const;
  const { panel } = await openDeal(nusrat, aDetail({ ...DISPUTED, ...offered }));
  expect(panel.getByRole('heading', { name: 'Your turn' })).toBeVisible();
  expect(panel.getByRole('link', { name: 'Open the dispute' })).toHaveAttribute('data-variant', 'default');
  expect(screen.getAllByRole('link', { name: 'Open the dispute' })).toHaveLength(2);
});

it('"Report a problem" leads to the dispute that runs, and not to support', async () => {
  const { user, panel } = await openDeal(tanvir, aDetail(DISPUTED));
  await user.click(panel.getByRole('button', { name: 'Report a problem' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByRole('link', { name: /^Open the dispute/ })).toHaveAttribute('href', '/disputes/x-1');
  expect(dialog.queryByRole('link', { name: 'Get support' })).toBeNull();
});

it.each([
  ['open', true],
  ['decided', false],
  ['appealed', false],
] as const)('the buyer may ask to cancel in a dispute that is %s: %s', async (status, may) => {
  const { user, panel } = await openDeal(
    nusrat,
    aDetail({ ...ACTIVE, ...RUNNING, exitAt: null, dispute: { _id: 'x-1', status } }),
  );
  expect(panel.getByText(/^If you have everything after all, you can still release the money/)).toBeVisible();
  expect(panel.queryByText(/deliver again/)).toBeNull();
  await user.click(panel.getByRole('button', { name: 'Report a problem' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.queryByRole('button', { name: /Request cancellation/ }) !== null).toBe(may);
});

it.each(['decided', 'appealed'] as const)('a request to cancel cannot be accepted once the dispute is %s', async (status) => {
  const { user, panel } = await openDeal(tanvir, aDetail({ ...REQUESTED, ...RUNNING, dispute: { _id: 'x-1', status } }));
  expect(panel.getByRole('link', { name: 'Open the dispute' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Accept cancellation' })).toBeNull();
  await user.click(panel.getByRole('button', { name: 'Report a problem' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByRole('button', { name: /^Cancel/ })).toBeVisible();
  expect(dialog.queryByRole('button', { name: /^Decline/ })).toBeNull();
});

it('a buyer who could have left waits for the decision to be carried out', async () => {
  const { panel } = await openDeal(
    nusrat,
    aDetail({ ...ACTIVE, ...RUNNING, exitAt: ACTIVE.activatedAt, dispute: { _id: 'x-1', status: 'decided' } }),
  );
  expect(panel.getByRole('link', { name: 'Open the dispute' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /get \$480\.00 back|Cancel/ })).toBeNull();
});

it('without a dispute the release stands out, and nothing speaks of one', async () => {
  const { panel } = await openDeal(nusrat, aDetail(DELIVERED));
  expect(panel.getByRole('heading', { name: 'Your turn' })).toBeVisible();
  expect(panel.getByRole('button', { name: 'Release $480.00' })).toHaveAttribute('data-variant', 'seal');
  expect(panel.queryByRole('link', { name: /dispute/ })).toBeNull();
});

it('shows the buyer how the price was divided', async () => {
  postponeReview();
  const { panel, sentence } = await openDeal(nusrat, aDetail(SETTLED));
  expect(sentence).toHaveTextContent('The dispute was settled: you got $200.00 back, and tanvir received $274.40.');
  expect(panel.getByRole('link', { name: 'See the dispute' })).toHaveAttribute('href', '/disputes/x-1');
  const rows = [...document.querySelectorAll('[data-slot="facts"]')][0]?.querySelectorAll('dd') ?? [];
  expect([...rows].map(({ textContent }) => textContent)).toEqual(['$480.00', '− $200.00', '− $5.60', '$274.40']);
  expect(screen.getByRole('group', { name: 'The seller has $274.40' })).toBeVisible();
});

it('shows the seller the same', async () => {
  const { sentence } = await openDeal(tanvir, aDetail(SETTLED));
  expect(sentence).toHaveTextContent('The dispute was settled: $274.40 was added to your balance, and nusrat got $200.00 back.');
});

it.each([
  [nusrat, 'The dispute was settled: tanvir received $470.40.'],
  [tanvir, 'The dispute was settled: $470.40 was added to your balance.'],
])('says nothing of a refund where $username’s deal was paid out whole', async (who, text) => {
  postponeReview();
  const { panel, sentence } = await openDeal(who, aDetail({ ...SETTLED, refund: null, payout: 470.4, fee: 9.6 }));
  expect(sentence).toHaveTextContent(text);
  expect(panel.queryByText(/\$0\.00/)).toBeNull();
});
