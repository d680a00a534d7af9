import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  ACTIVE,
  aDetail,
  closePage,
  dealChange,
  held,
  movesIn,
  openDeal,
  serveDeal,
  tanvir,
  underWay,
  unfold,
} from '@/testing/deals';
import { deferred } from '@/testing/deferred';
import { doneAs } from '@/testing/outcomes';
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
      http.get('*/api/operations/op-1', () => {
        held.deal = offered({ ...ACTIVE, ...DECLINED, exitAt: null });
        return HttpResponse.json({ ...pending, status: 'done', result: doneAs('deal_refunded') });
      }),
    );
    const { user, panel, sentence } = await openDeal(tanvir, offered(ACTIVE));
    await user.click(panel.getByRole('button', { name: 'Decline' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Decline' }));
    await waitFor(() => expect(sentence).toHaveTextContent('The money is on its way back to nusrat.'));
    await waitFor(() => expect(said()).toEqual([['success', 'Deal cancelled and buyer refunded']]), { timeout: 5_000 });
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
