import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DealDetail } from '@/api/contract';
import { pendingUntil } from '@/testing/outcomes';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { server } from '@/testing/server';
import { anOpenDeal, anOperation, dealQueues, nadia, onPost, refusal } from '../fixtures';

const ID = '0193a1b2-7a1b-7c2d-8e3f-9a0b7f3a91c2';
const said = () => notices.map(({ kind, text }) => [kind, text]);
/** The buttons of the decisions. */
const DECISIONS = /Pay seller|Refund/;
const COMPLETE = '/admin/deals/complete/d-1';
const CANCEL = '/admin/deals/cancel/d-1';
const decided = (message: string, deal: DealDetail) => () => HttpResponse.json({ message, deal });

async function openReview(address = '/admin/deals?review=d-1') {
  const page = renderAt(address);
  const drawer = within(await screen.findByRole('dialog', { name: 'Ranna Ghor 24' }));
  await drawer.findByText('nusrat paid');
  return { ...page, drawer };
}

const question = async (name: string) => within(await screen.findByRole('alertdialog', { name }));

beforeEach(() => {
  dealQueues([anOpenDeal()]);
});

it('a deal of others, opened by its own address, is decided here', async () => {
  const { router } = await openReview('/deal/d-1');
  expect(router.state.location.href).toBe('/admin/deals?dealId=d-1&review=d-1');
});

describe('the list of deals', () => {
  it('shows who deals for how much, what comes next, and what is held up', async () => {
    dealQueues([
      anOpenDeal({ nextAction: 'refund', nextActionAt: '2026-12-06T04:02:00Z' }),
      anOpenDeal({ _id: 'd-2', status: 'Late', frozen: true }),
      anOpenDeal({ _id: 'd-3', escalated: true, escalatedAt: new Date().toISOString() }),
    ]);
    renderAt('/admin/deals');
    const rows = within(await screen.findByRole('table', { name: 'Deals' })).getAllByRole('row');
    expect(rows[1]).toHaveTextContent('nusrat buys from tanvir');
    expect(rows[1]).toHaveTextContent('$480.00');
    expect(rows[1]).toHaveTextContent('Refunds the buyer in full6 Dec, 10:02');
    expect(rows[2]).toHaveTextContent('Late Deadlines paused');
    expect(rows[3]).toHaveTextContent('To decide');
    expect(rows[3]).toHaveTextContent('Waiting under 1 min');
    expect(await screen.findByRole('link', { name: /^Deals.*1 waiting$/ })).toBeVisible();
  });

  it('keeps status and id in the address, searches for a pasted id at once, and for no part of one', async () => {
    const { asked } = dealQueues([anOpenDeal({ _id: ID })]);
    const { user, router } = renderAt('/admin/deals');
    await user.selectOptions(await screen.findByLabelText('Status', { selector: 'select' }), 'Late');
    expect(await screen.findByText('No deals here.')).toBeVisible();
    expect(router.state.location.search).toEqual({ status: 'Late' });
    await user.selectOptions(screen.getByLabelText('Status', { selector: 'select' }), 'Any status');
    const field = screen.getByLabelText('Deal ID');
    await user.type(field, '0193');
    expect(router.state.location.search).toEqual({});
    await user.clear(field);
    await user.click(field);
    await user.paste(` ${ID} `);
    await waitFor(() => expect(router.state.location.search).toEqual({ dealId: ID }));
    expect(asked.map((query) => query.get('dealId'))).not.toContain('0193');
    await user.clear(field);
    await waitFor(() => expect(router.state.location.search).toEqual({}));
    await user.type(field, 'nothing{Enter}');
    expect(await screen.findByText('No deal has this ID.')).toBeVisible();
  });

  it('has those that wait for a decision on a tab of their own', async () => {
    dealQueues([anOpenDeal(), anOpenDeal({ _id: 'd-2', escalated: true })]);
    const { user } = renderAt('/admin/deals');
    await user.click(await screen.findByRole('link', { name: /^To decide/ }));
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2));
    expect(screen.queryByLabelText('Deal ID')).toBeNull();
  });

  it('says when it cannot be loaded, and is loaded again', async () => {
    server.use(http.get('*/api/admin/deals', () => HttpResponse.json({ code: 'conflict', message: '' }, { status: 409 })));
    const { user } = renderAt('/admin/deals');
    expect(await screen.findByText('Failed to fetch deals')).toBeVisible();
    dealQueues([anOpenDeal()]);
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('table')).toBeVisible();
  });
});

it('what support answered stands under its line of the timeline', async () => {
  const deal = anOpenDeal();
  const closed = {
    _id: 'e-2',
    kind: 'line_support_closed',
    message: 'Support has answered',
    at: '2026-11-20T04:00:00Z',
    actor: null,
    pictures: [],
  };
  dealQueues([{ ...deal, timeline: [...deal.timeline, { ...closed, note: 'Send the access again.' }] }]);
  renderAt('/admin/deals?review=d-1');
  const timeline = within(await screen.findByRole('region', { name: 'Timeline' }));
  const [latest] = await timeline.findAllByRole('listitem');
  expect(latest).toHaveTextContent('Send the access again.');
});

it('what was delivered stands there with its words and pictures', async () => {
  const deal = anOpenDeal();
  const delivered = {
    ...{ _id: 'e-2', kind: 'line_delivered', message: 'tanvir delivered', note: 'All done', actor: deal.seller },
    ...{ at: '2026-11-20T04:00:00Z', pictures: [{ _id: 'i-1', url: '/api/images/i-1', width: 1600, height: 1200 }] },
  };
  dealQueues([{ ...deal, timeline: [...deal.timeline, delivered] }]);
  renderAt('/admin/deals?review=d-1');
  const timeline = within(await screen.findByRole('region', { name: 'Timeline' }));
  expect(await timeline.findByText('All done')).toBeVisible();
  expect(timeline.getByRole('img', { name: 'Picture 1 of 1 from tanvir' })).toHaveAttribute('src', '/api/images/i-1?w=320');
});

describe('a deal of a disabled user', () => {
  it('waits for a decision, and says whose account is disabled', async () => {
    const suspended = { frozen: true, suspended: true, suspendedAt: '2026-11-12T04:00:00Z', sellerSuspended: true };
    dealQueues([anOpenDeal(suspended)]);
    const { user, drawer } = await openReview('/admin/deals?tab=decide&review=d-1');
    expect(
      drawer.getByText('The account of tanvir is disabled. Deadlines are paused, and an admin has to decide.'),
    ).toBeVisible();
    expect(drawer.queryByText(/until its support requests are closed/)).toBeNull();
    await user.keyboard('{Escape}');
    const rows = within(await screen.findByRole('table', { name: 'Deals' })).getAllByRole('row');
    expect(rows[1]).toHaveTextContent('Account disabled');
    expect(rows[1]).not.toHaveTextContent('Deadlines paused');
  });
});

describe('the decision on a deal', () => {
  it('to complete it names what the seller gets and the fee', async () => {
    const { deals } = dealQueues([anOpenDeal({ escalated: true })]);
    const done = anOpenDeal({ status: 'Completed', closedAt: '2026-11-20T04:00:00Z', closeReason: 'completed' });
    const calls = onPost(COMPLETE, decided('Deal marked as completed', done));
    const { user, drawer } = await openReview();
    expect(drawer.getByText('The parties could not agree in time. An admin has to decide.')).toBeVisible();
    await user.keyboard('c');
    const asked = await question('Complete this deal?');
    expect(asked.getByText(/^tanvir gets \$470\.40, fee \$9\.60\. nusrat gets nothing back\./)).toBeVisible();
    deals[0] = done;
    await user.click(asked.getByRole('button', { name: 'Pay seller $470.40' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Deal marked as completed']]));
    expect(calls).toHaveLength(1);
    expect(calls[0]?.key).toMatch(/^\w{32}$/);
    expect(drawer.getByText('tanvir gets $470.40.')).toBeVisible();
    expect(drawer.queryByRole('button', { name: DECISIONS })).toBeNull();
  });

  it('to cancel it names the full refund, and follows money that takes its time', async () => {
    onPost(CANCEL, () => HttpResponse.json({ operation: anOperation('deal_refund') }, { status: 202 }));
    const finish = pendingUntil(anOperation('deal_refund'));
    const { user, drawer } = await openReview();
    await user.click(drawer.getByRole('button', { name: 'Refund $480.00' }));
    const asked = await question('Cancel this deal?');
    expect(asked.getByText(/^nusrat gets the full \$480\.00 back, no fee\./)).toBeVisible();
    await user.click(asked.getByRole('button', { name: 'Refund $480.00' }));
    expect(await asked.findByText('Payment processing')).toBeVisible();
    await user.keyboard('{Escape}');
    expect(drawer.getByRole('button', { name: 'Pay seller $470.40' })).toBeDisabled();
    finish();
    await waitFor(() => expect(said()).toEqual([['success', 'Deal cancelled and buyer refunded']]));
  });

  it.each([
    [COMPLETE, 'Pay seller $470.40', 'Something went wrong while completing the deal.'],
    [CANCEL, 'Refund $480.00', 'Something went wrong while canceling the deal.'],
  ])('says when the call fails: %s', async (path, button, text) => {
    onPost(path, () => new HttpResponse('bad gateway', { status: 502 }));
    const { user, drawer } = await openReview();
    await user.click(drawer.getByRole('button', { name: button }));
    const asked = within(await screen.findByRole('alertdialog'));
    await user.click(asked.getByRole('button', { name: button }));
    await waitFor(() => expect(said()).toEqual([['error', text]]));
    expect(asked.getByRole('button', { name: button })).toBeEnabled();
  });

  it('that comes too late shows what has happened instead', async () => {
    const { deals } = dealQueues([anOpenDeal()]);
    const text = 'This deal is Completed, so it cannot be cancelled.';
    onPost(CANCEL, refusal(409, 'conflict', text));
    const { user, drawer } = await openReview();
    await user.click(drawer.getByRole('button', { name: 'Refund $480.00' }));
    deals[0] = anOpenDeal({ status: 'Completed', closedAt: '2026-11-20T04:00:00Z', closeReason: 'completed' });
    await user.click((await question('Cancel this deal?')).getByRole('button', { name: 'Refund $480.00' }));
    expect(await drawer.findByText(text)).toBeVisible();
    expect(screen.queryByRole('alertdialog')).toBeNull();
    await waitFor(() => expect(drawer.queryByRole('button', { name: /Pay|Refund/ })).toBeNull());
    expect(drawer.getByText('Completed')).toBeVisible();
  });

  it('can be tried again when something else was under way', async () => {
    const busy = 'Another action on this is being processed. Please wait a moment.';
    const done = decided('Deal cancelled and buyer refunded', anOpenDeal({ status: 'Cancelled' }));
    onPost(CANCEL, refusal(409, 'conflict', busy), done);
    const { user, drawer } = await openReview();
    await user.keyboard('r');
    await user.click((await question('Cancel this deal?')).getByRole('button', { name: 'Refund $480.00' }));
    expect(await drawer.findByText(busy)).toBeVisible();
    await user.keyboard('r');
    expect(drawer.queryByText(busy)).toBeNull();
    await user.click((await question('Cancel this deal?')).getByRole('button', { name: 'Refund $480.00' }));
    await waitFor(() => expect(said().at(-1)).toEqual(['success', 'Deal cancelled and buyer refunded']));
  });

  it('asks for the password where the server wants it', async () => {
    const calls = onPost(
      COMPLETE,
      refusal(403, 'password_required', 'Please enter your password again.'),
      decided('Deal marked as completed', anOpenDeal({ status: 'Completed' })),
    );
    onPost('/auth/confirm-password', () => HttpResponse.json({ message: '' }));
    const { user, drawer } = await openReview();
    await user.click(drawer.getByRole('button', { name: 'Pay seller $470.40' }));
    await user.click((await question('Complete this deal?')).getByRole('button', { name: 'Pay seller $470.40' }));
    const password = within(await screen.findByRole('dialog', { name: 'Enter your password again' }));
    await user.type(password.getByLabelText('Password'), 'right{Enter}');
    await waitFor(() => expect(said()).toEqual([['success', 'Deal marked as completed']]));
    expect(calls[1]).toEqual(calls[0]);
  });

  it('is not for a party of the deal, who is told why', async () => {
    const seller = { _id: nadia._id, username: nadia.username, profilePic: '', isStaff: false };
    dealQueues([anOpenDeal({ seller })]);
    const { user, drawer } = await openReview();
    expect(drawer.getByText('You are a party to this deal, so you cannot decide. Another admin has to.')).toBeVisible();
    await user.keyboard('c');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(drawer.queryByRole('button', { name: DECISIONS })).toBeNull();
  });

  it.each([
    ['Active', 2],
    ['Pending', 0],
    ['Cancelled', 0],
  ] as const)('on one that is %s has so many choices: %i', async (status, choices) => {
    dealQueues([anOpenDeal({ status })]);
    const { drawer } = await openReview();
    expect(drawer.queryAllByRole('button', { name: DECISIONS })).toHaveLength(choices);
  });
});
