import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { ACTIVE, aDetail, answers, held, movesIn, openDeal, REQUESTED, serveDeal, tanvir, underWay } from '@/testing/deals';
import { doneAs } from '@/testing/outcomes';
import { notices } from '@/testing/recorded';
import { nusrat, server } from '@/testing/server';

const said = () => notices.map(({ kind, text }) => [kind, text]);
const ENDED = { status: 'Cancelled', activatedAt: ACTIVE.activatedAt, closedAt: '2026-11-24T04:00:00Z' } as const;
const ACCEPTED = { ...ENDED, closeReason: 'accepted', refund: 470.4 } as const;

beforeEach(serveDeal);

describe('a request to cancel', () => {
  it('makes the answer the seller’s move, and delivering waits for it', async () => {
    const { panel, sentence } = await openDeal(tanvir, aDetail(REQUESTED));
    expect(movesIn(panel)).toEqual(['Accept cancellation', 'Decline', 'Report a problem']);
    expect(panel.getByRole('heading', { name: 'Your turn' })).toBeVisible();
    expect(sentence).toHaveTextContent('$480.00 is held by Amanat for you. nusrat asked to cancel. Accept or decline.');
    expect(panel.getByText('Accepted automatically in')).toBeVisible();
  });

  it('leaves the buyer to wait, or to release after all', async () => {
    const { panel } = await openDeal(nusrat, aDetail(REQUESTED));
    expect(movesIn(panel)).toEqual(['Release $480.00', 'Report a problem']);
    expect(panel.getByRole('heading', { name: 'Waiting for tanvir' })).toBeVisible();
    expect(panel.getByText(/If tanvir accepts, you get \$470\.40 back/)).toBeVisible();
  });

  it('is accepted with the sums before one’s eyes', async () => {
    const sentKeys = answers('accept-cancellation', 'deal_refunded_less_fee', ACCEPTED);
    const { user, panel, sentence } = await openDeal(tanvir, aDetail(REQUESTED));
    await user.click(panel.getByRole('button', { name: 'Accept cancellation' }));
    const ask = within(await screen.findByRole('alertdialog', { name: 'Accept the cancellation?' }));
    expect(ask.getByText('nusrat gets back').closest('dl')).toHaveTextContent(
      'Price$480.00Amanat’s fee, 2%− $9.60nusrat gets back$470.40',
    );
    expect(ask.getByText(/nusrat gets \$470\.40 back, and you get nothing/)).toBeVisible();
    await user.click(ask.getByRole('button', { name: 'Accept cancellation' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Deal cancelled and buyer refunded (2% fee taken)']]));
    expect(sentence).toHaveTextContent('You accepted the request. $470.40 was refunded to nusrat; the fee was $9.60.');
    expect(sentKeys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Closed' })).toHaveFocus());
  });

  it('is declined, and the deal goes on', async () => {
    answers('decline-cancellation', 'cancellation_declined', { ...ACTIVE, cancellationDeclined: true });
    const { user, panel } = await openDeal(tanvir, aDetail(REQUESTED));
    await user.click(panel.getByRole('button', { name: 'Decline' }));
    const ask = within(await screen.findByRole('alertdialog', { name: 'Decline the request?' }));
    await user.click(ask.getByRole('button', { name: 'Decline' }));
    await waitFor(() => expect(said()).toEqual([['success', 'You have declined the cancellation request']]));
    expect(panel.getByRole('button', { name: 'Mark as delivered' })).toBeVisible();
    expect(panel.queryByText('Seller declined your cancellation request.')).toBeNull();
  });

  it.each([
    ['accept-cancellation', 'Accept cancellation', 'Failed to cancel the deal'],
    ['decline-cancellation', 'Decline', 'Failed to decline request'],
  ])('that could not be answered (%s) is said in the words of the specification', async (path, name, text) => {
    server.use(http.post(`*/api/deals/${path}/d-1`, () => HttpResponse.error()));
    const { user, panel } = await openDeal(tanvir, aDetail(REQUESTED));
    await user.click(panel.getByRole('button', { name }));
    const ask = within(await screen.findByRole('alertdialog'));
    await user.click(ask.getByRole('button', { name }));
    await waitFor(() => expect(said()).toEqual([['error', text]]));
    expect(ask.getByRole('button', { name })).toBeEnabled();
  });

  it('that was accepted before the page was opened ends by itself, with its own words', async () => {
    const pending = underWay('deal_refund');
    const result = doneAs('deal_refunded_less_fee');
    server.use(
      http.get('*/api/operations/op-1', () => {
        held.deal = aDetail(ACCEPTED);
        return HttpResponse.json({ ...pending, status: 'done', result });
      }),
    );
    const { panel, sentence } = await openDeal(tanvir, aDetail({ ...REQUESTED, operation: pending }));
    expect(sentence).toHaveTextContent('The money is on its way back to nusrat.');
    expect(panel.getByRole('button', { name: /Payment processing/ })).toBeVisible();
    await waitFor(() => expect(said()).toEqual([['success', result.message]]), { timeout: 5_000 });
    await waitFor(() => expect(sentence).toHaveTextContent('You accepted the request.'));
  });
});

describe('the seller', () => {
  it('cancels by himself, and the whole price goes back', async () => {
    const cancelled = { ...ENDED, status: 'Cancelled by Seller', closeReason: 'seller', refund: 480 } as const;
    answers('cancel', 'deal_refunded', cancelled);
    const { user, panel, sentence } = await openDeal(tanvir, aDetail(ACTIVE));
    await user.click(panel.getByRole('button', { name: 'Report a problem' }));
    await user.click(await screen.findByRole('button', { name: /Cancel the deal/ }));
    const ask = within(await screen.findByRole('alertdialog', { name: 'Cancel this deal?' }));
    expect(ask.getByText(/All \$480\.00 is refunded to nusrat, without a fee/)).toBeVisible();
    expect(ask.getByText('nusrat gets back').closest('div')).toHaveTextContent('$480.00');
    await user.click(ask.getByRole('button', { name: 'Cancel the deal' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Deal cancelled and buyer refunded']]));
    expect(sentence).toHaveTextContent('You cancelled it. All $480.00 was refunded to nusrat.');
  });
});
