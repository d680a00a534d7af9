import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ACTIVE,
  aDetail,
  COMPLETED,
  DELIVERED,
  dealChange,
  held,
  movesIn,
  openDeal,
  serveDeal,
  tanvir,
  underWay,
} from '@/testing/deals';
import { doneAs, pendingUntil } from '@/testing/outcomes';
import { queryClient } from '@/testing/query-client';
import { notices } from '@/testing/recorded';
import { nusrat, server } from '@/testing/server';

const said = () => notices.map(({ kind, text }) => [kind, text]);

beforeEach(serveDeal);

describe('paying', () => {
  it('takes one press, beside the amounts, and shows the deal as the server has it afterwards', async () => {
    server.use(
      http.post('*/api/deals/pay/d-1', () => {
        held.wallet -= 480;
        held.deal = aDetail(ACTIVE);
        return dealChange('deal_activated', held.deal);
      }),
    );
    const { user, panel, sentence } = await openDeal(nusrat, aDetail());
    expect((await panel.findByText('Balance after')).closest('div')).toHaveTextContent('$32.40');
    await user.click(panel.getByRole('button', { name: /Accept & Pay \$480\.00/ }));
    await waitFor(() => expect(said()).toEqual([['success', 'Deal activated!']]));
    expect(sentence).toHaveTextContent('$480.00 is held by Amanat. tanvir has to deliver by 22 Nov, 10:02.');
    expect(screen.getByRole('group', { name: 'Amanat holds $480.00' })).toBeVisible();
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Waiting for tanvir' })).toHaveFocus());
  });

  it('that a limit of the account refuses says so in view, with the way to the limits', async () => {
    const scrolled = vi.fn();
    Element.prototype.scrollIntoView = scrolled;
    const message = 'Deals up to $200.00 are possible with your account now.';
    server.use(
      http.post('*/api/deals/pay/d-1', () =>
        HttpResponse.json({ code: 'conflict', reason: 'limit_per_deal', params: { limit: 200 }, message }, { status: 409 }),
      ),
    );
    const { user, panel } = await openDeal(nusrat, aDetail());
    await user.click(panel.getByRole('button', { name: /Accept & Pay/ }));
    expect(await panel.findByText(message)).toBeVisible();
    expect(panel.getByRole('link', { name: 'See your limits and how to raise them' })).toHaveAttribute('href', '/balance#limits');
    expect(scrolled).toHaveBeenCalledOnce();
  });

  it('that takes its time says so, ends by itself, and cannot be done twice', async () => {
    let calls = 0;
    const pending = underWay('deal_pay');
    server.use(
      http.post('*/api/deals/pay/d-1', () => {
        calls += 1;
        held.deal = aDetail({ operation: pending });
        return HttpResponse.json({ operation: pending }, { status: 202 });
      }),
    );
    const settle = pendingUntil(pending, () => {
      held.deal = aDetail(ACTIVE);
      return { result: doneAs('deal_activated') };
    });
    const { user, panel, sentence } = await openDeal(nusrat, aDetail());
    await user.dblClick(panel.getByRole('button', { name: /Accept & Pay/ }));
    await waitFor(() => expect(sentence).toHaveTextContent('Your $480.00 is on its way to Amanat.'));
    expect(panel.getByRole('button', { name: /Payment processing/ })).toHaveAttribute('aria-disabled', 'true');
    expect(panel.getByRole('button', { name: 'Decline' })).toBeDisabled();
    await user.click(panel.getByRole('button', { name: /Payment processing/ }));
    settle();
    await waitFor(() => expect(said()).toEqual([['success', 'Deal activated!']]));
    await waitFor(() => expect(sentence).toHaveTextContent('$480.00 is held by Amanat.'));
    expect(calls).toBe(1);
  });

  it('that was under way before the page was opened ends by itself, too', async () => {
    const pending = underWay('deal_pay');
    const settle = pendingUntil(pending, () => {
      held.deal = aDetail(ACTIVE);
      return {};
    });
    const { panel, sentence } = await openDeal(nusrat, aDetail({ operation: pending }));
    expect(panel.getByRole('button', { name: /Payment processing/ })).toBeVisible();
    settle();
    await waitFor(() => expect(sentence).toHaveTextContent('$480.00 is held by Amanat.'));
    expect(said()).toEqual([['success', 'Deal activated!']]);
  });

  it('of the other side is shown and not asked about', async () => {
    const { panel } = await openDeal(tanvir, aDetail({ operation: underWay('deal_pay') }));
    expect(panel.getByText('Payment processing')).toBeVisible();
    expect(panel.getByRole('button', { name: /Withdraw offer/ })).toBeDisabled();
  });
});

describe('too small a balance', () => {
  const refused = () =>
    HttpResponse.json(
      { message: 'Insufficient balance: $467.60 missing', code: 'insufficient_balance', shortfall: 467.6 },
      { status: 409 },
    );

  it('is said before paying, with the way to what is missing', async () => {
    held.wallet = 12.4;
    const { panel } = await openDeal(nusrat, aDetail());
    expect(await panel.findByRole('link', { name: 'Add $467.60' })).toHaveAttribute('href', '/deposit?amount=467.6&deal=d-1');
    expect(panel.getByText('You still need')).toBeVisible();
    expect(screen.queryByRole('button', { name: /Accept & Pay/ })).toBeNull();
  });

  const party = { _id: nusrat._id, username: nusrat.username, profilePic: '', isStaff: false };
  /** Pending deposits of Nusrat's. */
  const checks = (...deposits: { sum: number; dealId: string | null }[]) =>
    server.use(
      http.get('*/api/deposits/pending', () =>
        HttpResponse.json({
          deposits: deposits.map(({ sum, dealId }, index) => ({
            ...{ _id: `dep-${index}`, dealId, amount: sum, claimedAmount: sum, convertedAmount: sum * 123, rate: 123 },
            ...{ user: { ...party, email: nusrat.email }, transactionId: `CKJ8T2WV5${index}`, paymentMethod: 'Bkash' },
            ...{ actionType: 'deposit', status: 'pending', reason: null, reasonCode: null, handledAt: null },
            ...{ createdAt: '2026-11-08T04:54:00Z', disputed: false, expired: false, paysDeal: dealId !== null },
          })),
          wait: { usualMinutes: 5, from: '09:00', to: '23:00', open: true, nextOpenAt: null },
        }),
      ),
    );

  it('that deposits being checked make up for asks for nothing, and pays once they are there', async () => {
    held.wallet = 12.4;
    checks({ sum: 400, dealId: 'd-1' }, { sum: 67.6, dealId: null });
    const { panel } = await openDeal(nusrat, aDetail());
    expect(await panel.findByText('$467.60 is being checked')).toBeVisible();
    expect(panel.getByText(/Usually within 5 minutes It is paid as soon as the money is here./)).toBeVisible();
    // In the panel and the phone's bar.
    expect(screen.getAllByText('$467.60 is being checked')).toHaveLength(2);
    expect(screen.queryByRole('link', { name: /^Add/ })).toBeNull();
    expect(screen.queryByText('You still need')).toBeNull();
    expect(panel.getByRole('heading', { name: 'Being checked' })).toBeVisible();
    expect(movesIn(panel)).toEqual(['Propose other terms', 'Decline']);
    held.wallet = 480;
    checks();
    await act(() => queryClient.invalidateQueries());
    expect(await panel.findByRole('button', { name: /Accept & Pay/ })).toBeEnabled();
  });

  it('asks for what is still missing, and counts no deposit for another deal', async () => {
    held.wallet = 12.4;
    checks({ sum: 400, dealId: 'd-2' }, { sum: 67.6, dealId: 'd-1' });
    const { panel } = await openDeal(nusrat, aDetail());
    expect(await panel.findByText('$67.60 is being checked')).toBeVisible();
    expect(panel.getByRole('link', { name: 'Add $400.00' })).toHaveAttribute('href', '/deposit?amount=400&deal=d-1');
  });

  it('that only the server knew of is said in the words of the specification, and nothing is lost', async () => {
    server.use(
      http.post('*/api/deals/pay/d-1', () => {
        held.wallet = 12.4;
        return refused();
      }),
    );
    const { user, panel } = await openDeal(nusrat, aDetail());
    await user.click(panel.getByRole('button', { name: /Accept & Pay/ }));
    await waitFor(() => expect(said()).toEqual([['error', 'Insufficient balance']]));
    expect(await panel.findByRole('link', { name: 'Add $467.60' })).toBeVisible();
  });

  it('found by the worker is said when the operation is refused', async () => {
    const pending = underWay('deal_pay');
    const error = { code: 'insufficient_balance', message: 'Insufficient balance', shortfall: 467.6 };
    server.use(
      http.post('*/api/deals/pay/d-1', () => {
        held.deal = aDetail({ operation: pending });
        return HttpResponse.json({ operation: pending }, { status: 202 });
      }),
      http.get('*/api/operations/op-1', () => {
        held.deal = aDetail();
        held.wallet = 12.4;
        return HttpResponse.json({ ...pending, status: 'rejected', error });
      }),
    );
    const { user, panel } = await openDeal(nusrat, aDetail());
    await user.click(panel.getByRole('button', { name: /Accept & Pay/ }));
    await waitFor(() => expect(said()).toEqual([['error', 'Insufficient balance']]));
    expect(await panel.findByRole('link', { name: 'Add $467.60' })).toBeVisible();
  });
});

describe('the other actions', () => {
  it('give the focus back to their button when the answer is no', async () => {
    const { user, panel } = await openDeal(nusrat, aDetail());
    await user.click(panel.getByRole('button', { name: 'Decline' }));
    await user.click(await screen.findByRole('button', { name: 'Keep the deal' }));
    await waitFor(() => expect(panel.getByRole('button', { name: 'Decline' })).toHaveFocus());
  });

  it('declining asks, removes the deal and leads to the list', async () => {
    let gone = false;
    server.use(
      http.delete('*/api/deals/d-1', () => {
        gone = true;
        return HttpResponse.json(doneAs('deal_removed'));
      }),
      http.get('*/api/deals/d-1', () =>
        gone
          ? HttpResponse.json({ message: 'Deal not found.', code: 'not_found' }, { status: 404 })
          : HttpResponse.json(held.deal),
      ),
    );
    const { router, user, panel } = await openDeal(nusrat, aDetail());
    await user.click(panel.getByRole('button', { name: 'Decline' }));
    await user.click(
      within(await screen.findByRole('alertdialog', { name: 'Decline this deal?' })).getByRole('button', { name: 'Decline' }),
    );
    await waitFor(() => expect(router.state.location.pathname).toBe('/deal'));
    expect(await screen.findByRole('heading', { level: 1, name: 'Manage Deals' })).toBeVisible();
    expect(said()).toEqual([['success', 'Deal declined and removed']]);
    // Back leads to the page before the deal.
    expect(router.history.length).toBe(1);
  });

  it('releasing before the delivery warns, and says what cannot be undone', async () => {
    server.use(
      http.post('*/api/deals/complete/d-1', () => {
        held.deal = aDetail(COMPLETED);
        return dealChange('deal_completed', held.deal);
      }),
    );
    const { user, panel } = await openDeal(nusrat, aDetail(ACTIVE));
    await user.click(panel.getByRole('button', { name: 'Release $480.00' }));
    const ask = within(await screen.findByRole('alertdialog', { name: 'Release $480.00 to tanvir?' }));
    expect(ask.getByText(/tanvir receives \$470\.40 now \(fee \$9\.60\)\. This can’t be undone/)).toBeVisible();
    expect(ask.getByText(/tanvir has not delivered yet/)).toBeVisible();
    await user.click(ask.getByRole('button', { name: 'Release $480.00' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Deal marked as completed']]));
    expect(screen.getByRole('group', { name: 'The seller has $470.40', hidden: true })).toBeInTheDocument();
    expect(await screen.findByRole('dialog', { name: 'How was tanvir?' })).toBeVisible();
  });

  it('that failed without a word are said as the specification has it, and can be tried again', async () => {
    server.use(http.post('*/api/deals/complete/d-1', () => HttpResponse.error()));
    const { user, panel } = await openDeal(nusrat, aDetail(DELIVERED));
    await user.click(panel.getByRole('button', { name: /Release/ }));
    const ask = within(await screen.findByRole('alertdialog'));
    await user.click(ask.getByRole('button', { name: /Release/ }));
    await waitFor(() => expect(said()).toEqual([['error', 'Failed to complete deal']]));
    expect(ask.getByRole('button', { name: /Release/ })).toBeEnabled();
  });

  it('that came too late close the question and show the deal as it is', async () => {
    server.use(
      http.post('*/api/deals/deliver/d-1', () => {
        held.deal = aDetail(COMPLETED);
        return HttpResponse.json(
          { message: 'This deal is Completed, so it cannot be delivered.', code: 'conflict' },
          { status: 409 },
        );
      }),
    );
    const { user, panel } = await openDeal(tanvir, aDetail(ACTIVE));
    await user.click(panel.getByRole('button', { name: /Mark as delivered/ }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /Mark as delivered/ }));
    await waitFor(() => expect(said()).toEqual([['error', 'This deal is Completed, so it cannot be delivered.']]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await panel.findByRole('heading', { name: 'Closed' })).toBeVisible();
  });
});
