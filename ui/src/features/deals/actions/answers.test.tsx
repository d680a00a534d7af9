import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  ACTIVE,
  aDetail,
  answers,
  closePage,
  dealChange,
  held,
  movesIn,
  openDeal,
  REQUESTED,
  SHIPPED,
  serveDeal,
  tanvir,
  underWay,
  unfold,
} from '@/testing/deals';
import { deferred } from '@/testing/deferred';
import { doneAs, pendingUntil } from '@/testing/outcomes';
import { queryClient } from '@/testing/query-client';
import { notices } from '@/testing/recorded';
import { nusrat, server } from '@/testing/server';

const said = () => notices.map(({ kind, text }) => [kind, text]);

/** Nusrat made the deal, and Tanvir has not accepted it. */
function offered(over: Parameters<typeof aDetail>[0] = {}) {
  const deal = aDetail({ acceptedAt: null, ...over });
  const timeline = deal.timeline.map((entry) => ({ ...entry, actor: deal.buyer, message: 'nusrat offered the deal' }));
  return { ...deal, timeline };
}

const DECLINED = {
  status: 'Cancelled by Seller',
  closedAt: '2026-11-09T04:00:00Z',
  closeReason: 'declined',
  refund: 480,
} as const;

beforeEach(serveDeal);

describe('the seller of a deal that the buyer made', () => {
  it('is asked first, and accepts', async () => {
    server.use(
      http.put('*/api/deals/accept/d-1', () => {
        held.deal = offered({ acceptedAt: '2026-11-08T05:00:00Z' });
        return dealChange('deal_accepted', held.deal);
      }),
    );
    const { user, panel, sentence } = await openDeal(tanvir, offered());
    expect(sentence).toHaveTextContent('nusrat wants to buy this for $480.00. Nothing is paid yet. Accept or decline it.');
    expect(panel.getByRole('heading', { name: 'Your turn' })).toBeVisible();
    expect(movesIn(panel)).toEqual(['Accept deal', 'Propose other terms', 'Decline']);
    // The phone's bar has it, too.
    expect(screen.getAllByRole('button', { name: 'Accept deal' })).toHaveLength(2);
    await user.click(panel.getByRole('button', { name: 'Accept deal' }));
    const ask = within(await screen.findByRole('alertdialog', { name: 'Accept this deal?' }));
    await user.click(ask.getByRole('button', { name: 'Accept deal' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Deal accepted']]));
    expect(await panel.findByRole('heading', { name: 'Waiting for nusrat' })).toBeVisible();
  });

  it('declines what is not paid, and it is gone', async () => {
    const sentKeys: (string | null)[] = [];
    server.use(
      http.delete('*/api/deals/d-1', ({ request }) => {
        sentKeys.push(request.headers.get('Idempotency-Key'));
        return HttpResponse.json(doneAs('deal_removed'));
      }),
      http.get('*/api/deals/my-deals', () => HttpResponse.json([])),
    );
    const { user, panel, router } = await openDeal(tanvir, offered());
    await user.click(panel.getByRole('button', { name: 'Decline' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Decline' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Deal declined and removed']]));
    await waitFor(() => expect(router.state.location.pathname).toBe('/deal'));
    expect(sentKeys).toEqual([expect.stringMatching(/.+/)]);
  });

  it('stays on the page that they have gone to while they declined it', async () => {
    const answered = deferred();
    server.use(
      http.delete('*/api/deals/d-1', async () => {
        await answered.promise;
        return HttpResponse.json(doneAs('deal_removed'));
      }),
    );
    const { user, panel, router } = await openDeal(tanvir, offered());
    await user.click(panel.getByRole('button', { name: 'Decline' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Decline' }));
    await waitFor(() => expect(queryClient.isMutating()).toBe(1));
    await act(() => router.navigate({ to: '/terms' }));
    answered.resolve();
    await waitFor(() => expect(queryClient.isMutating()).toBe(0));
    expect(said()).toEqual([['success', 'Deal declined and removed']]);
    expect(router.latestLocation.pathname).toBe('/terms');
  });

  it('declines what is paid: asked with the sum, and the buyer has everything back', async () => {
    server.use(
      http.delete('*/api/deals/d-1', () => {
        held.deal = offered({ ...ACTIVE, ...DECLINED, exitAt: null });
        return HttpResponse.json(doneAs('deal_refunded'));
      }),
    );
    const { user, panel, sentence } = await openDeal(tanvir, offered(ACTIVE));
    expect(sentence).toHaveTextContent('Accept the deal, or decline it and nusrat gets everything back.');
    expect(movesIn(panel)).toEqual(['Accept deal', 'Mark as delivered', 'Decline', 'Report a problem']);
    await user.click(panel.getByRole('button', { name: 'Decline' }));
    const ask = within(await screen.findByRole('alertdialog', { name: 'Decline this deal?' }));
    expect(ask.getByText(/all \$480\.00 is refunded to nusrat/)).toBeVisible();
    await user.click(ask.getByRole('button', { name: 'Decline' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Deal cancelled and buyer refunded']]));
    await waitFor(() => expect(sentence).toHaveTextContent('You declined it. All $480.00 was refunded to nusrat.'));
  });

  it('is told when a deal was paid while they declined it', async () => {
    server.use(
      http.delete('*/api/deals/d-1', () => {
        held.deal = offered({ ...ACTIVE, ...DECLINED, exitAt: null });
        return HttpResponse.json(doneAs('deal_refunded'));
      }),
    );
    const { user, panel, sentence } = await openDeal(tanvir, offered());
    await user.click(panel.getByRole('button', { name: 'Decline' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Decline' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Deal cancelled and buyer refunded']]));
    await waitFor(() => expect(sentence).toHaveTextContent('You declined it.'));
  });

  it('sees that the money is on its way back while it is', async () => {
    const pending = underWay('deal_refund');
    server.use(
      http.delete('*/api/deals/d-1', () => {
        held.deal = offered({ ...ACTIVE, operation: pending });
        return HttpResponse.json({ operation: pending }, { status: 202 });
      }),
    );
    const settle = pendingUntil(pending, () => {
      held.deal = offered({ ...ACTIVE, ...DECLINED, exitAt: null });
      return { result: doneAs('deal_refunded') };
    });
    const { user, panel, sentence } = await openDeal(tanvir, offered(ACTIVE));
    await user.click(panel.getByRole('button', { name: 'Decline' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Decline' }));
    await waitFor(() => expect(sentence).toHaveTextContent('The money is on its way back to nusrat.'));
    settle();
    await waitFor(() => expect(said()).toEqual([['success', 'Deal cancelled and buyer refunded']]));
    await waitFor(() => expect(sentence).toHaveTextContent('You declined it.'));
  });
});

describe('the buyer', () => {
  it('waits for the seller, and may pay before', async () => {
    const { panel, sentence } = await openDeal(nusrat, offered());
    expect(sentence).toHaveTextContent(
      'You offered tanvir $480.00 for this. You can pay before tanvir accepts. If tanvir declines, you get it all back.',
    );
    expect(panel.getByRole('heading', { name: 'Your turn' })).toBeVisible();
    expect(movesIn(panel)).toEqual(['Pay & Activate $480.00', 'Propose other terms', 'Withdraw offer']);
    // The phone's bar has it, too.
    expect(screen.getAllByRole('button', { name: 'Pay & Activate $480.00' })).toHaveLength(2);
    closePage();

    const paid = await openDeal(nusrat, offered(ACTIVE));
    expect(paid.sentence).toHaveTextContent('$480.00 is held by Amanat. If tanvir declines, you get it all back.');
    expect(paid.panel.getByRole('heading', { name: 'Waiting for tanvir' })).toBeVisible();
    expect((await unfold(paid, 'History (1)')).getByText('tanvir accepts or declines the deal')).toBeVisible();
  });

  it('reads that it was declined, with everything back', async () => {
    const { sentence } = await openDeal(nusrat, offered({ ...ACTIVE, ...DECLINED, exitAt: null }));
    expect(sentence).toHaveTextContent('This deal was cancelled. tanvir declined it. All $480.00 was refunded to your balance.');
    expect(screen.getByRole('group', { name: 'The buyer has $480.00' })).toBeVisible();
  });
});

const ENDED = { status: 'Cancelled', activatedAt: ACTIVE.activatedAt, closedAt: '2026-11-24T04:00:00Z' } as const;
const ACCEPTED = { ...ENDED, closeReason: 'accepted', refund: 470.4 } as const;

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
    const settle = pendingUntil(pending, () => {
      held.deal = aDetail(ACCEPTED);
      return { result };
    });
    const { panel, sentence } = await openDeal(tanvir, aDetail({ ...REQUESTED, operation: pending }));
    expect(sentence).toHaveTextContent('The money is on its way back to nusrat.');
    expect(panel.getByRole('button', { name: /Payment processing/ })).toBeVisible();
    settle();
    await waitFor(() => expect(said()).toEqual([['success', result.message]]));
    await waitFor(() => expect(sentence).toHaveTextContent('You accepted the request.'));
  });
});

describe('the seller', () => {
  it('cancels without being asked, and the whole price goes back', async () => {
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

describe('what is on its way', () => {
  const ARRIVED = {
    ...SHIPPED,
    nextAction: 'complete',
    nextActionAt: '2126-11-24T09:52:00Z',
    shipment: { ...SHIPPED.shipment, arrivedAt: '2026-11-18T09:52:00Z', arrivesBy: null },
  } as const;

  it('is said to have arrived, without a question; the money can be released before and after', async () => {
    server.use(
      http.post('*/api/deals/d-1/arrived', () => {
        held.deal = aDetail(ARRIVED);
        return dealChange('deal_arrived', held.deal);
      }),
    );
    const { user, panel, sentence } = await openDeal(nusrat, aDetail(SHIPPED));
    expect(sentence).toHaveTextContent(/tanvir sent it by courier on .* Say when it arrives\./);
    const main = within(screen.getByRole('main'));
    expect(main.getByText('On its way with Pathao')).toBeVisible();
    expect(main.getByText(/^Counts as arrived on 21 Nov/)).toBeVisible();
    await user.click(main.getByRole('button', { name: /^DA77.*Copy tracking number$/ }));
    await waitFor(() => expect(said()).toEqual([['success', 'Tracking number copied']]));
    expect(movesIn(panel)).toEqual(['It has arrived', 'Release $480.00', 'Request changes', 'Report a problem']);
    // The phone's bar has it, too.
    expect(screen.getAllByRole('button', { name: 'It has arrived' })).toHaveLength(2);
    await user.click(panel.getByRole('button', { name: 'It has arrived' }));
    await waitFor(() => expect(said()).toContainEqual(['success', 'Marked as arrived']));
    expect(main.getByText('Arrived with Pathao')).toBeVisible();
    expect(main.queryByText(/Counts as arrived/)).toBeNull();
    expect(movesIn(panel)).toEqual(['Release $480.00', 'Request changes', 'Report a problem']);
  });

  it('is not the seller’s to receive', async () => {
    const { panel, sentence } = await openDeal(tanvir, aDetail(SHIPPED));
    expect(sentence).toHaveTextContent(/You sent it by courier on .* nusrat says when it arrives\./);
    expect(panel.getByRole('heading', { name: 'Waiting for nusrat' })).toBeVisible();
    expect(movesIn(panel)).toEqual(['Report a problem']);
  });
});
