import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DealDispute } from '@/api/contract';
import { keys } from '@/entities/keys';
import { aDecision, aDispute, LATER } from '@/testing/disputes';
import { omit } from '@/testing/omit';
import { doneAs } from '@/testing/outcomes';
import { queryClient } from '@/testing/query-client';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { server } from '@/testing/server';
import { dealQueues, karim, mine, nadia, onPost, refusal, soon } from '../fixtures';

const said = () => notices.map(({ kind, text }) => [kind, text]);
/** The server's disputes. */
let rows: DealDispute[] = [];

const rowOf = (dispute: DealDispute) => omit(dispute, 'thread', 'offers', 'appeal', 'canAppeal');

beforeEach(() => {
  sessionStorage.clear();
  dealQueues();
  rows = [aDispute({ answeredAt: '2026-11-17T04:00:00Z' })];
  server.use(
    http.get('*/api/admin/disputes', ({ request }) => {
      const found = rows.filter(({ status }) => status === new URL(request.url).searchParams.get('status'));
      return HttpResponse.json({ page: 1, pages: 1, total: found.length, disputes: found.map(rowOf) });
    }),
    http.get('*/api/disputes/:id', ({ params }) => {
      const dispute = rows.find(({ _id }) => _id === params.id);
      return dispute ? HttpResponse.json({ dispute }) : refusal(404, 'not_found', 'Dispute not found.')();
    }),
    http.post('*/api/admin/disputes/:id/claim', () => {
      const { admin: claimedBy, until: claimedUntil } = mine();
      rows[0] = { ...(rows[0] ?? aDispute()), claimedBy, claimedUntil };
      return HttpResponse.json({ ...doneAs('dispute_claimed'), dispute: rows[0] });
    }),
  );
});

async function openPage(path = '/admin/disputes/x-1') {
  const rendered = renderAt(path);
  await screen.findByRole('heading', { level: 1, name: 'Ranna Ghor 24' });
  const page = within(screen.getByRole('main'));
  await page.findByText('The page has another owner.');
  return { ...rendered, page };
}

function decides(path: string, over: Partial<DealDispute>) {
  return onPost(`/admin/disputes/x-1/${path}`, () => {
    rows[0] = { ...(rows[0] ?? aDispute()), ...over };
    return HttpResponse.json({ ...doneAs('dispute_decided'), dispute: rows[0] });
  });
}

describe('the disputes', () => {
  it('are listed with who waits for how long, and counted in the menu', async () => {
    renderAt('/admin/disputes');
    const table = within(await screen.findByRole('table', { name: 'Disputes' })).getAllByRole('row');
    expect(table[1]).toHaveTextContent('nusrat');
    expect(table[1]).toHaveTextContent('$480.00');
    expect(table[1]).toHaveTextContent('Not as agreed');
    expect(await screen.findByRole('link', { name: /^Disputes.*1 waiting$/ })).toBeVisible();
  });

  it('say so when there are none', async () => {
    rows = [];
    renderAt('/admin/disputes');
    expect(await screen.findByText('No disputes waiting')).toBeVisible();
  });

  it('are searched, and walked with J and K', async () => {
    const asked: string[] = [];
    rows = [aDispute(), aDispute({ _id: 'x-2', deal: { _id: 'd-2', title: 'A kettle', price: 20, status: 'Delivered' } })];
    server.events.on('request:start', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('search') ?? '');
    });
    const { user, router } = renderAt('/admin/disputes');
    await screen.findByRole('table', { name: 'Disputes' });
    await user.keyboard('/');
    await user.type(screen.getByRole('searchbox', { name: 'User or words of the deal' }), 'nus{Enter}');
    await waitFor(() => expect(asked).toContain('nus'));
    await screen.findByRole('table', { name: 'Disputes' });
    await user.keyboard('j');
    await screen.findByRole('heading', { level: 1, name: 'Ranna Ghor 24' });
    await user.keyboard('j');
    await screen.findByRole('heading', { level: 1, name: 'A kettle' });
    expect(router.state.location.href).toBe('/admin/disputes/x-2?search=nus');
  });

  it('open by a link, in whatever list they are', async () => {
    rows = [aDispute({ status: 'settled', endedAt: LATER, expectedBy: null })];
    const { page } = await openPage();
    expect(page.getByText('Settled')).toBeVisible();
    expect(page.queryByRole('button', { name: 'Decide' })).toBeNull();
  });

  it('do not open by a link to none', async () => {
    renderAt('/admin/disputes/x-9');
    expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  });
});

describe('one dispute', () => {
  it('is decided with a split and a reason', async () => {
    const offer = { _id: 'o-1', by: 'seller' as const, buyerGets: 12, sellerGets: 458.64, fee: 9.36, createdAt: LATER };
    rows = [aDispute({ offers: [{ ...offer, status: 'open' }] })];
    const calls = decides('decide', { status: 'decided', decision: aDecision() });
    const { page, user } = await openPage();
    await page.findByText(/^Reserved for you until/);
    await user.keyboard('d');
    const amount = page.getByRole('textbox', { name: 'nusrat gets back' });
    expect(amount).toHaveFocus();
    expect(amount).toHaveValue('');
    await user.click(page.getByRole('button', { name: 'Decide' }));
    expect(await page.findByText('Enter an amount.')).toBeVisible();
    await user.click(page.getByRole('button', { name: 'As tanvir offers ($12.00 back)' }));
    expect(amount).toHaveValue('12.00');
    await user.click(page.getByRole('button', { name: 'Half each' }));
    expect(amount).toHaveValue('240.00');
    await user.clear(amount);
    await user.type(amount, '200');
    expect(page.getByText('$274.40')).toBeVisible();
    const reason = page.getByRole('textbox', { name: 'Reason (nusrat and tanvir will read it)' });
    await user.type(reason, 'Too short');
    await user.click(page.getByRole('button', { name: 'Decide' }));
    expect(await page.findByText('Give the reason in at least 10 characters.')).toBeVisible();
    await user.type(reason, ', as it were.');
    await user.click(page.getByRole('button', { name: 'Decide' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Who gets what?' }));
    expect(question.getByText('$274.40')).toBeVisible();
    expect(calls).toEqual([]);
    await user.click(question.getByRole('button', { name: 'Decide' }));
    await waitFor(() => expect(said()).toEqual([['success', 'The decision has been made.']]));
    expect(calls.map(({ body }) => body)).toEqual([{ buyerGets: 200, reason: 'Too short, as it were.' }]);
    expect(calls[0]?.key).toMatch(/^[0-9a-f]{32}$/);
    expect(await page.findByText('Decided. Both parties are notified.')).toBeVisible();
    expect(page.getByText('A part of it was delivered.')).toBeVisible();
  });

  it('keeps what was typed through a failure', async () => {
    const calls = onPost('/admin/disputes/x-1/decide', () => HttpResponse.error());
    const { page, user } = await openPage();
    await user.click(await page.findByRole('button', { name: 'Half each' }));
    const reason = page.getByRole('textbox', { name: /^Reason/ });
    await user.type(reason, 'Half of it came.');
    await user.click(page.getByRole('button', { name: 'Decide' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Decide' }));
    await waitFor(() => expect(said()).toEqual([['error', 'The decision could not be made']]));
    expect(calls).toHaveLength(1);
    expect(reason).toHaveValue('Half of it came.');
  });

  it('of one’s own deal is another admin’s', async () => {
    const own = { _id: nadia._id, username: nadia.username, profilePic: '', isStaff: true };
    rows = [aDispute({ seller: own })];
    const { page } = await openPage();
    expect(page.getByText(/You are a party to this deal/)).toBeVisible();
    expect(page.queryByRole('button', { name: 'Decide' })).toBeNull();
  });

  it('that another admin works on is left to them', async () => {
    rows = [aDispute({ claimedBy: karim, claimedUntil: soon() })];
    const { page } = await openPage();
    expect(await page.findByText(/^karim is working on it/)).toBeVisible();
    expect(page.queryByRole('button', { name: 'Decide' })).toBeNull();
  });

  it('whose decision was one’s own is not claimed, also when another admin decides the appeal', async () => {
    const claims = onPost('/admin/disputes/x-1/claim', refusal(409, 'already_handled', 'Already handled by karim.'));
    const by = { _id: nadia._id, username: nadia.username, profilePic: '', isStaff: true };
    rows = [aDispute({ status: 'appealed', decision: aDecision({ by }) })];
    const { page } = await openPage('/admin/disputes/x-1?tab=appealed');
    expect(await page.findByText('You made the decision. Another admin has to look at the appeal.')).toBeVisible();
    rows = [];
    await act(() => queryClient.invalidateQueries({ queryKey: keys.adminDisputes }));
    expect(claims).toEqual([]);
  });

  it('takes a message to both', async () => {
    const calls = onPost('/disputes/x-1/messages', () =>
      HttpResponse.json({ ...doneAs('dispute_message_sent'), dispute: rows[0] }),
    );
    const { page, user } = await openPage();
    const text = page.getByRole('textbox', { name: 'Message to both' });
    await user.type(text, 'Which page do you mean?');
    await user.click(page.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Message sent']]));
    expect(calls.map(({ body }) => body)).toEqual([{ text: 'Which page do you mean?', pictures: [] }]);
    await waitFor(() => expect(text).toHaveValue(''));
  });
});

describe('an appeal', () => {
  const appealed = (by: { _id: string; username: string; profilePic: string; isStaff: boolean }) =>
    aDispute({
      ...{ status: 'appealed', decision: aDecision({ by }) },
      appeal: { by: 'seller', text: 'All was delivered.', at: '2026-11-18T09:00:00Z' },
    });

  it('is decided for good', async () => {
    rows = [appealed(karim)];
    const calls = decides('appeal/decide', {
      ...{ status: 'settled', endedAt: LATER, expectedBy: null },
      decision: aDecision({ final: true, carriedOutAt: LATER }),
    });
    const { page, user } = await openPage('/admin/disputes/x-1?tab=appealed');
    expect(page.getByText('All was delivered.')).toBeVisible();
    // Starts with the decision.
    expect(await page.findByRole('textbox', { name: 'nusrat gets back' })).toHaveValue('200.00');
    await user.click(page.getByRole('button', { name: 'Pay the seller' }));
    await user.type(page.getByRole('textbox', { name: /^Reason/ }), 'The page was handed over.');
    await user.click(page.getByRole('button', { name: 'Decide for good' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Who gets what, for good?' }));
    await user.click(question.getByRole('button', { name: 'Decide for good' }));
    await waitFor(() => expect(calls.map(({ body }) => body)).toEqual([{ buyerGets: 0, reason: 'The page was handed over.' }]));
    expect(await page.findByText('Decided for good. The money is paid out.')).toBeVisible();
  });

  it('is not for the admin who decided', async () => {
    rows = [appealed({ _id: nadia._id, username: nadia.username, profilePic: '', isStaff: true })];
    const { page } = await openPage('/admin/disputes/x-1?tab=appealed');
    expect(page.getByText(/You made the decision/)).toBeVisible();
    expect(page.queryByRole('button', { name: 'Decide for good' })).toBeNull();
    // The list shows it, so no claim is made.
    expect(rows[0]?.claimedBy).toBeNull();
  });
});
