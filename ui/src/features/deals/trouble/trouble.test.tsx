import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DealDetail, User } from '@/api/contract';
import { ACTIVE, aDetail, answers, DELIVERED, held, openDeal, REQUESTED, serveDeal, tanvir, underWay } from '@/testing/deals';
import { doneAs, pendingUntil } from '@/testing/outcomes';
import { notices } from '@/testing/recorded';
import { nusrat, server } from '@/testing/server';

const said = () => notices.map(({ kind, text }) => [kind, text]);
const LEAVABLE = { ...ACTIVE, status: 'Late', exitAt: '2020-01-01T00:00:00Z' } as const;
const LEFT = {
  status: 'Cancelled by Buyer',
  activatedAt: ACTIVE.activatedAt,
  closedAt: '2026-11-24T04:00:00Z',
  closeReason: 'exit',
  refund: 480,
} as const;

beforeEach(serveDeal);

async function openTrouble(who: User, over: Partial<DealDetail>) {
  const app = await openDeal(who, aDetail(over));
  await app.user.click(app.panel.getByRole('button', { name: 'Report a problem' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'What do you want to do?' }));
  return { ...app, dialog };
}

/** Chooses an action, and returns the dialog that follows. */
async function choose({ user, dialog }: Awaited<ReturnType<typeof openTrouble>>, name: RegExp) {
  await user.click(dialog.getByRole('button', { name }));
  return within(await screen.findByRole('alertdialog'));
}

describe('"Report a problem"', () => {
  it.each([
    ['the buyer of an active deal', nusrat, ACTIVE, ['Request cancellation', 'Open a dispute']],
    ['the buyer of a delivered deal', nusrat, DELIVERED, ['Request cancellation', 'Open a dispute']],
    ['the buyer who may leave', nusrat, LEAVABLE, ['Cancel and get $480.00 back', 'Open a dispute']],
    ['the buyer who waits for an answer', nusrat, REQUESTED, ['Open a dispute']],
    ['the seller', tanvir, ACTIVE, ['Cancel the deal', 'Open a dispute']],
    ['the seller who is asked to cancel', tanvir, REQUESTED, ['Cancel the deal', 'Open a dispute']],
  ] as const)('offers %s what the rules allow', async (_who, user, over, choices) => {
    const { dialog } = await openTrouble(user, over);
    const offered = dialog.getAllByRole('listitem').map((item) => within(item).getByText(/.*/, { selector: 'b' }).textContent);
    expect(offered).toEqual(choices);
  });

  it('says how many requests are left, and from when the buyer can do without', async () => {
    const { dialog } = await openTrouble(nusrat, { ...ACTIVE, requestsLeft: 2 });
    expect(dialog.getByText('You have 2 of 3 requests left in this deal.')).toBeVisible();
    expect(dialog.getByText(/you can cancel for a full refund from .*23 November 2126/)).toBeVisible();
  });

  it('leaves what the deal says to be heard behind the dialog', async () => {
    await openTrouble(nusrat, ACTIVE);
    // Screen readers see nothing else of the page.
    expect(screen.queryByRole('heading', { level: 1 })).toBeNull();
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContainEqual(
      expect.stringContaining('$480.00 is held by Amanat.'),
    );
  });

  it('says why nothing is left but a dispute', async () => {
    const { dialog } = await openTrouble(nusrat, { ...DELIVERED, requestsLeft: 0 });
    expect(dialog.getByText(/You have made all 3 requests/)).toBeVisible();
    expect(dialog.queryByRole('button', { name: /Request/ })).toBeNull();
    expect(dialog.getByRole('link', { name: /Open a dispute/ })).toBeVisible();
  });

  it('leads to support about the deal', async () => {
    const { dialog, user, router } = await openTrouble(nusrat, ACTIVE);
    await user.click(dialog.getByRole('link', { name: 'Get support' }));
    expect(await screen.findByLabelText('Deal id')).toHaveValue('d-1');
    expect(router.state.location.pathname).toBe('/support');
  });

  it('gives the focus back to its button when it is closed', async () => {
    const { user, panel } = await openTrouble(nusrat, ACTIVE);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(panel.getByRole('button', { name: 'Report a problem' })).toHaveFocus());
  });

  it('leads to the form of a dispute about the deal', async () => {
    const { user, dialog, router } = await openTrouble(nusrat, ACTIVE);
    await user.click(dialog.getByRole('link', { name: /Open a dispute/ }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Open a dispute' })).toBeVisible();
    expect(router.state.location.pathname).toBe('/deal/d-1/dispute');
    expect(screen.getByRole('link', { name: 'Ranna Ghor 24' })).toHaveAttribute('href', '/deal/d-1');
  });
});

describe('the buyer', () => {
  it('asks for a cancellation with the sums before his eyes', async () => {
    const sentKeys = answers('cancel', 'cancellation_requested', REQUESTED);
    const app = await openTrouble(nusrat, ACTIVE);
    const ask = await choose(app, /Request cancellation/);
    expect(ask.getByText('You get back').closest('dl')).toHaveTextContent(
      'Price$480.00Amanat’s fee, 2%− $9.60You get back$470.40',
    );
    expect(ask.getByText(/72 hours to respond. Without a response, the request is accepted automatically/)).toBeVisible();
    await app.user.click(ask.getByRole('button', { name: 'Request cancellation' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Cancellation request sent']]));
    expect(app.sentence).toHaveTextContent(
      '$480.00 is held by Amanat. You asked tanvir to cancel. tanvir can accept or decline.',
    );
    expect(sentKeys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(app.panel.getByText('Accepted automatically in')).toBeVisible();
    expect(screen.getByText('Cancellation requested')).toBeVisible();
    await waitFor(() => expect(app.panel.getByRole('button', { name: 'Report a problem' })).toHaveFocus());
  });

  it('is told that an admin looks at what was delivered once', async () => {
    const ask = await choose(await openTrouble(nusrat, DELIVERED), /Request cancellation/);
    expect(ask.getByText(/Without a response, an admin decides/)).toBeVisible();
    expect(ask.getByText('The delivery is then no longer accepted either.')).toBeVisible();
  });

  it('is told how it ended when the server could end it at once', async () => {
    answers('cancel', 'deal_refunded', LEFT);
    const app = await openTrouble(nusrat, ACTIVE);
    const ask = await choose(app, /Request cancellation/);
    await app.user.click(ask.getByRole('button', { name: 'Request cancellation' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Deal cancelled and buyer refunded']]));
    expect(app.sentence).toHaveTextContent('You cancelled it because it was late. All $480.00 was refunded to your balance.');
  });

  it('leaves a late deal with the whole price; the money takes its time and cannot be asked for twice', async () => {
    const pending = underWay('deal_refund');
    let calls = 0;
    server.use(
      http.post('*/api/deals/cancel/d-1', () => {
        calls += 1;
        held.deal = aDetail({ ...LEAVABLE, operation: pending });
        return HttpResponse.json({ operation: pending }, { status: 202 });
      }),
    );
    const settle = pendingUntil(pending, () => {
      held.deal = aDetail(LEFT);
      return { result: doneAs('deal_refunded') };
    });
    const { user, panel, sentence } = await openDeal(nusrat, aDetail(LEAVABLE));
    expect(sentence).toHaveTextContent('You can cancel and get everything back.');
    await user.click(panel.getByRole('button', { name: 'Cancel and get $480.00 back' }));
    const ask = within(await screen.findByRole('alertdialog', { name: 'Cancel this late deal?' }));
    expect(ask.getByText(/All \$480\.00 is refunded to your balance; there is no fee/)).toBeVisible();
    await user.dblClick(ask.getByRole('button', { name: 'Cancel and get $480.00 back' }));
    await waitFor(() => expect(sentence).toHaveTextContent('The money is on its way back to you.'));
    expect(panel.getByRole('button', { name: /Payment processing/ })).toHaveAttribute('aria-disabled', 'true');
    expect(panel.getByRole('button', { name: 'Report a problem' })).toBeDisabled();
    settle();
    await waitFor(() => expect(said()).toEqual([['success', 'Deal cancelled and buyer refunded']]));
    await waitFor(() => expect(screen.getByRole('group', { name: 'The buyer has $480.00' })).toBeVisible());
    expect(calls).toBe(1);
  });

  it('sees that the seller declined', async () => {
    const { panel } = await openDeal(nusrat, aDetail({ ...ACTIVE, cancellationDeclined: true }));
    expect(panel.getByText('Seller declined your cancellation request.')).toBeVisible();
  });
});

describe('what fails', () => {
  it('because of the connection is said, and can be tried again', async () => {
    server.use(http.post('*/api/deals/cancel/d-1', () => HttpResponse.error()));
    const app = await openTrouble(nusrat, ACTIVE);
    const ask = await choose(app, /Request cancellation/);
    await app.user.click(ask.getByRole('button', { name: 'Request cancellation' }));
    await waitFor(() => expect(said()).toEqual([['error', 'Failed to cancel deal']]));
    expect(ask.getByRole('button', { name: 'Request cancellation' })).toBeEnabled();
  });

  it('because the deal is another by now closes the question and shows the deal as it is', async () => {
    server.use(
      http.post('*/api/deals/cancel/d-1', () => {
        held.deal = aDetail({ ...ACTIVE, requestsLeft: 0 });
        return HttpResponse.json({ message: 'Please open a support request', code: 'conflict' }, { status: 409 });
      }),
    );
    const app = await openTrouble(nusrat, { ...ACTIVE, requestsLeft: 1 });
    const ask = await choose(app, /Request cancellation/);
    await app.user.click(ask.getByRole('button', { name: 'Request cancellation' }));
    await waitFor(() => expect(said()).toEqual([['error', 'Please open a support request']]));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    await app.user.click(app.panel.getByRole('button', { name: 'Report a problem' }));
    expect(await screen.findByText(/You have made all 3 requests/)).toBeVisible();
  });
});
