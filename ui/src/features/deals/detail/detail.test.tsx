import { act, screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { keys } from '@/entities/keys';
import {
  ACTIVE,
  aDetail,
  COMPLETED,
  DELIVERED,
  movesIn,
  openDeal,
  postponeReview,
  serveDeal,
  tanvir,
  unfold,
} from '@/testing/deals';
import { queryClient } from '@/testing/query-client';
import { apiMisbehaves, notices } from '@/testing/recorded';
import { aDeal, nusrat, server } from '@/testing/server';

const said = () => notices.map(({ kind, text }) => [kind, text]);

beforeEach(serveDeal);

describe('the page of a deal', () => {
  it.each([
    ['the buyer of an offer', nusrat, {}, ['Accept & Pay $480.00', 'Propose other terms', 'Decline'], 'Your turn'],
    ['the seller of an offer', tanvir, {}, ['Propose other terms', 'Withdraw offer'], 'Waiting for nusrat'],
    ['the buyer of an active deal', nusrat, ACTIVE, ['Release $480.00', 'Report a problem'], 'Waiting for tanvir'],
    ['the seller of an active deal', tanvir, ACTIVE, ['Mark as delivered', 'Report a problem'], 'Your turn'],
    ['the seller of a late deal', tanvir, { ...ACTIVE, status: 'Late' }, ['Mark as delivered', 'Report a problem'], 'Your turn'],
    ['the buyer of a delivered deal', nusrat, DELIVERED, ['Release $480.00', 'Request changes', 'Report a problem'], 'Your turn'],
    ['the seller of a delivered deal', tanvir, DELIVERED, ['Report a problem'], 'Waiting for nusrat'],
    ['the buyer of a completed deal', nusrat, COMPLETED, ['Review tanvir'], 'Closed'],
    ['the seller of a completed deal', tanvir, COMPLETED, [], 'Closed'],
  ] as const)('gives %s his actions and no other', async (_who, user, over, actions, heading) => {
    postponeReview();
    const { panel } = await openDeal(user, aDetail(over));
    expect(movesIn(panel)).toEqual(actions);
    expect(panel.getByRole('heading', { name: heading })).toBeVisible();
  });

  it('says where the money is and what is expected now, and draws it', async () => {
    const app = await openDeal(nusrat, aDetail(DELIVERED));
    expect(app.sentence).toHaveTextContent(
      '$480.00 is held by Amanat. tanvir delivered on 16 Nov, 15:52. Check it, then release the money.',
    );
    expect(screen.getByRole('group', { name: 'Amanat holds $480.00' })).toBeVisible();
    const [money] = (await unfold(app, 'Money and dates')).getAllByText('You paid');
    expect(money?.closest('dl')).toHaveTextContent('You paid$480.00Amanat’s fee, 2%− $9.60tanvir gets$470.40');
    await unfold(app, 'History (1)');
    const lines = within(screen.getByRole('table', { name: 'What has happened' })).getAllByRole('row');
    expect(lines.map((line) => line.textContent)).toEqual([
      'WhenWhat happensBuyerAmanatSeller',
      '8 Nov, 10:02tanvir offered the deal480.00',
      'NextYou release the moneyPrice less the 2% fee470.40',
    ]);
  });

  it.each([
    ['buyer pays', nusrat, '≈ ৳59,040'],
    ['seller gets', tanvir, '≈ ৳58,560'],
  ] as const)('counts taka as the %s them', async (_what, user, taka) => {
    await openDeal(user, aDetail(ACTIVE));
    expect(await screen.findByText(taka)).toBeVisible();
  });

  it('leads to the list once the other has taken the deal back', async () => {
    const { router } = await openDeal(tanvir, aDetail());
    const gone = { message: 'Deal not found.', code: 'not_found' };
    server.use(http.get('*/api/deals/d-1', () => HttpResponse.json(gone, { status: 404 })));
    await act(() => queryClient.invalidateQueries({ queryKey: keys.deal('d-1') }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Manage Deals' })).toBeVisible();
    expect(router.state.location.pathname).toBe('/deal');
  });

  it('tells a line of a kind it does not know in the server’s words', async () => {
    const odd = {
      _id: 'e-9',
      kind: 'line_new',
      message: 'Something newer happened',
      at: '2026-11-09T04:00:00Z',
      actor: null,
      pictures: [],
    };
    await unfold(await openDeal(nusrat, aDetail({ timeline: [odd] })), 'History (1)');
    expect(screen.getByText('Something newer happened')).toBeVisible();
  });

  it('lets a buyer who made the offer pay and activate it', async () => {
    const mine = {
      _id: 'e-1',
      kind: 'line_created',
      message: '',
      at: '2026-11-08T04:02:00Z',
      actor: aDeal().buyer,
      pictures: [],
    };
    const { panel } = await openDeal(nusrat, aDetail({ timeline: [mine] }));
    expect(movesIn(panel)).toEqual(['Pay & Activate $480.00', 'Propose other terms', 'Withdraw offer']);
  });

  it.each([
    ['the countdown', {}, /^Due in \d+ days \d+ hours \d+ minutes$|^Due Now$/],
    ['that it is past', { dueAt: '2020-01-01T00:00:00Z' }, /^Due Now$/],
    ['a broken duration', { deliveryDuration: 0 }, /^Invalid Duration$/],
  ])('shows %s', async (_what, over, text) => {
    const { panel } = await openDeal(nusrat, aDetail(over));
    expect(panel.getByText(text)).toBeVisible();
  });

  it('shows a broken time', async () => {
    apiMisbehaves();
    const { panel } = await openDeal(nusrat, aDetail({ dueAt: 'soon' }));
    expect(panel.getByText('Invalid Time')).toBeVisible();
  });

  it('copies the whole id', async () => {
    const { user } = await openDeal(nusrat, aDetail());
    await user.click(screen.getByRole('button', { name: /Copy deal id/ }));
    expect(await navigator.clipboard.readText()).toBe('d-1');
    expect(said()).toEqual([['success', 'Deal ID copied']]);
  });
});
