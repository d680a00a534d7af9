import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { historyIndex } from '@/prerender/router-internals';
import { deferred } from '@/testing/deferred';
import { pendingUntil } from '@/testing/outcomes';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { server } from '@/testing/server';
import { anOperation, aQueuedDeposit, karim, nadia, onPost, queues, refusal, soon } from '../fixtures';
import { DOUBLE_CLICK_TIME } from './deposit-review';

const said = () => notices.map(({ kind, text }) => [kind, text]);
const approved = () =>
  HttpResponse.json({ message: 'Balance updated successfully', deposit: aQueuedDeposit({ status: 'completed' }) });
const APPROVE = '/admin/deposit/approve/dep-1';

async function openReview(path = '/admin/deposit?review=dep-1') {
  const page = renderAt(path);
  const drawer = within(await screen.findByRole('dialog', { name: /sabbir reports/ }));
  return { ...page, drawer };
}

/** Opens a review and waits for its claim. */
async function openClaimed() {
  const page = await openReview();
  await page.drawer.findByText(/^Reserved for you until/);
  return page;
}

/** Holds timers of this delay back until `end`, however busy the machine is. */
function holdTimers(delay: number) {
  const held: (() => void)[] = [];
  const start = globalThis.setTimeout;
  const hold = (run: () => void, after?: number) => (after === delay ? held.push(run) : start(run, after));
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(hold as typeof setTimeout);
  return { end: () => act(() => held.splice(0).forEach((run) => run())) };
}

beforeEach(() => {
  queues([aQueuedDeposit()]);
});

describe('the queue', () => {
  it('says how many wait, how much and how long', async () => {
    queues([aQueuedDeposit(), aQueuedDeposit({ _id: 'dep-2', claimedAmount: 50, amount: 50 })]);
    renderAt('/admin/deposit');
    expect((await screen.findByText('Sum')).nextSibling).toHaveTextContent('$130.00');
    expect(screen.getByText('Oldest').nextSibling).toHaveTextContent('46 min');
  });

  it('has the sum of all pages', async () => {
    const page = {
      success: true,
      page: 1,
      pages: 3,
      total: 27,
      totalAmount: 2160.5,
      secondAdminAbove: 1000,
      receivedTakaAbove: 500,
    };
    server.use(http.get('*/api/admin/deposits', () => HttpResponse.json({ ...page, deposits: [aQueuedDeposit()] })));
    renderAt('/admin/deposit');
    expect((await screen.findByText('Sum')).nextSibling).toHaveTextContent('$2,160.50');
    expect(screen.getByText('Page 1 of 3')).toBeVisible();
  });

  it('is searched, filtered and sorted, which the address keeps', async () => {
    const { asked } = queues([aQueuedDeposit()]);
    const { user, router } = renderAt('/admin/deposit?tab=failed');
    const field = await screen.findByRole('searchbox', { name: 'TrxID, user or amount' });
    await screen.findByRole('table');
    await user.keyboard('/');
    expect(field).toHaveFocus();
    await user.keyboard('৳ ১২,৩০০');
    await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'failed', search: '৳ ১২,৩০০' }));
    await user.selectOptions(screen.getByLabelText('Method'), 'Nagad');
    await user.selectOptions(screen.getByLabelText('Payer'), 'Credited before');
    await user.selectOptions(screen.getByLabelText('Order'), 'Largest first');
    const chosen = { method: 'Nagad', payer: 'credited', sort: 'largest' };
    await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'failed', search: '৳ ১২,৩০০', ...chosen }));
    const wanted = { search: '৳12300', ...chosen, status: 'Failed' };
    await waitFor(() => expect(Object.fromEntries(asked.at(-1) ?? [])).toMatchObject(wanted));
    expect((await screen.findByText('Found')).nextSibling).toHaveTextContent('1');
    // Another tab keeps the filters.
    await user.click(screen.getByRole('link', { name: 'All' }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ tab: 'all', method: 'Nagad', sort: 'largest' }));
    await user.clear(field);
    await waitFor(() => expect(router.state.location.search).not.toHaveProperty('search'));
  });

  it('keeps a filter that is chosen while the page of the one before is on its way', async () => {
    queues([aQueuedDeposit()]);
    const { router } = renderAt('/admin/deposit?page=2');
    await screen.findByRole('table');
    fireEvent.change(screen.getByLabelText('Method'), { target: { value: 'Nagad' } });
    fireEvent.change(screen.getByLabelText('Payer'), { target: { value: 'credited' } });
    await waitFor(() => expect(router.state.location.search).toEqual({ method: 'Nagad', payer: 'credited' }));
  });

  it('says that nothing matches, and shows all again', async () => {
    queues([]);
    const { user, router } = renderAt('/admin/deposit?search=ZZ&sort=newest');
    expect(await screen.findByText('No deposits match.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Clear the filters' }));
    await waitFor(() => expect(router.state.location.search).toEqual({ sort: 'newest' }));
  });

  it('shows what another address searches for, also while the field has the focus', async () => {
    queues([aQueuedDeposit()]);
    const { user, router } = renderAt('/admin/deposit');
    const field = await screen.findByRole('searchbox');
    await user.type(field, 'CKJ8');
    await waitFor(() => expect(router.state.location.search).toEqual({ search: 'CKJ8' }));
    await user.type(field, 'H5');
    await waitFor(() => expect(router.state.location.search).toEqual({ search: 'CKJ8H5' }));
    expect(field).toHaveValue('CKJ8H5');
    await act(() => router.navigate({ to: '/admin/deposit', search: { search: 'nusrat' } }));
    await waitFor(() => expect(field).toHaveValue('nusrat'));
    expect(field).toHaveFocus();
  });

  it('has ten rows a page', async () => {
    const { asked } = queues([aQueuedDeposit()]);
    renderAt('/admin/deposit');
    expect(await screen.findByText('sabbir@example.com')).toBeVisible();
    expect(asked.map((query) => query.get('limit'))).not.toContain('25');
    expect(asked.at(-1)?.get('limit')).toBe('10');
  });

  it('is walked with J and K, and closed with Escape', async () => {
    queues([aQueuedDeposit({ _id: 'dep-0' }), aQueuedDeposit(), aQueuedDeposit({ _id: 'dep-2' })]);
    const { user, router } = await openReview();
    const at = (id: string | undefined) => waitFor(() => expect(router.state.location.search).toEqual(id ? { review: id } : {}));
    await user.keyboard('j');
    await at('dep-2');
    await user.keyboard('kk');
    await at('dep-0');
    await user.keyboard('{Escape}');
    await at(undefined);
    await waitFor(() => expect(document.getElementById('row-dep-0')).toHaveFocus());
  });
});

it('the review that a row opened is closed without a trace, also after J', async () => {
  queues([aQueuedDeposit({ _id: 'dep-0', user: { ...karim, email: 'karim@example.com' } }), aQueuedDeposit()]);
  const { user, router } = renderAt('/admin/deposit');
  const at = (href: string) => waitFor(() => expect(router.state.location.href).toBe(href));
  for (let times = 0; times < 2; times += 1) {
    await user.click(await screen.findByRole('link', { name: 'karim' }));
    await at('/admin/deposit?review=dep-0');
    await user.keyboard('j');
    await at('/admin/deposit?review=dep-1');
    await user.keyboard('{Escape}');
    await at('/admin/deposit');
    expect(historyIndex(router.state.location)).toBe(0);
  }
});

describe('the review of a deposit', () => {
  it('claims the row and shows what is known', async () => {
    const { claims } = queues([aQueuedDeposit({ sameTransactionId: 2 })]);
    const { drawer } = await openClaimed();
    expect(claims).toEqual(['dep-1']);
    expect(drawer.getByText('Used before: 2 failed')).toBeVisible();
    expect(drawer.getByText(/, 9 approved, 0 refused before, address verified$/)).toHaveTextContent(
      'sabbir, 9 approved, 0 refused before',
    );
    expect(drawer.getByRole('link', { name: 'sabbir' })).toHaveAttribute('href', '/admin/users?review=u-sabbir');
    expect(drawer.getByText('Deposit 1 of 1, waiting 46 min')).toBeVisible();
  });

  it('approves the claimed amount with one click', async () => {
    const calls = onPost(APPROVE, approved);
    const { user, drawer } = await openClaimed();
    await user.click(drawer.getByRole('button', { name: 'Approve $80.00' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Balance updated successfully']]));
    expect(calls).toEqual([{ body: { amount: 80, userId: 'u-sabbir' }, key: expect.stringMatching(/.{8,}/) as unknown }]);
    expect(await drawer.findByText('Done: $80.00 → sabbir')).toBeVisible();
  });

  it('asks for a changed amount twice and for the reason', async () => {
    const calls = onPost(APPROVE, approved);
    const { user, drawer } = await openClaimed();
    const amount = drawer.getByLabelText('Amount to credit');
    const press = () => user.click(drawer.getByRole('button', { name: /^Approve/ }));
    await user.clear(amount);
    await press();
    await waitFor(() => expect(said()).toEqual([['error', 'Enter a valid amount']]));
    await user.type(amount, '৭৭');
    expect(drawer.getByText('$3.00 less than reported')).toBeVisible();
    await press();
    await waitFor(() => expect(said().at(-1)).toEqual(['error', 'The two amounts are not the same.']));
    await user.type(drawer.getByLabelText(/^Type the amount again/), '77.00');
    await press();
    await waitFor(() => expect(said().at(-1)).toEqual(['error', 'Write the reason: the user will read it.']));
    expect(calls).toEqual([]);
    await user.type(drawer.getByLabelText('Reason, sabbir will read it'), 'Bkash shows less.');
    await press();
    await waitFor(() =>
      expect(calls.map(({ body }) => body)).toEqual([{ amount: 77, userId: 'u-sabbir', reason: 'Bkash shows less.' }]),
    );
  });

  it('asks first when the key A is used', async () => {
    const calls = onPost(APPROVE, approved);
    const { user } = await openClaimed();
    await user.keyboard('a');
    const question = within(await screen.findByRole('alertdialog', { name: 'Approve $80.00?' }));
    expect(calls).toEqual([]);
    expect(question.getByRole('button', { name: 'Approve $80.00' })).toHaveFocus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(said()).toEqual([['success', 'Balance updated successfully']]));
  });

  it('rejects with a reason', async () => {
    const calls = onPost('/admin/deposit/reject/dep-1', () =>
      HttpResponse.json({ message: '', deposit: aQueuedDeposit({ status: 'Failed' }) }),
    );
    const { user } = await openClaimed();
    await user.keyboard('r');
    const question = within(await screen.findByRole('alertdialog'));
    await user.type(question.getByRole('textbox'), 'No payment arrived.');
    await user.click(question.getByRole('button', { name: 'Reject' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Deposit rejected successfully']]));
    expect(calls.map(({ body }) => body)).toEqual([{ code: 'other', reason: 'No payment arrived.' }]);
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  });

  it('rejects by the keys alone, for one of the usual reasons', async () => {
    const calls = onPost('/admin/deposit/reject/dep-1', () =>
      HttpResponse.json({ message: '', deposit: aQueuedDeposit({ status: 'Failed', reasonCode: 'used_before' }) }),
    );
    const { user, router } = await openClaimed();
    await user.keyboard('r');
    const question = within(await screen.findByRole('alertdialog'));
    await user.keyboard('1j3');
    expect(question.getByRole('radio', { name: /^Used before/ })).toBeChecked();
    expect(question.getByText('sabbir is told that each payment counts once.')).toBeVisible();
    expect(router.state.location.search).toEqual({ review: 'dep-1' });
    // Digits in the text choose no reason.
    await user.type(question.getByRole('textbox'), 'TrxID 12');
    expect(question.getByRole('radio', { name: /^Used before/ })).toBeChecked();
    await user.click(question.getByRole('radio', { name: /^Used before/ }));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(calls.map(({ body }) => body)).toEqual([{ code: 'used_before', reason: 'TrxID 12' }]));
  });

  it('credits what the SMS says in taka', async () => {
    const calls = onPost(APPROVE, approved);
    const { user, drawer } = await openClaimed();
    const taka = drawer.getByLabelText(/^Taka received/);
    expect(taka).toHaveValue('9840');
    await user.clear(taka);
    await user.type(taka, '৯৪৭১');
    expect(drawer.getByLabelText('Amount to credit')).toHaveValue('77.00');
    await user.type(drawer.getByLabelText(/^Type the taka again/), '9471');
    await user.type(drawer.getByLabelText('Reason, sabbir will read it'), 'bKash shows ৳9,471.');
    await user.click(drawer.getByRole('button', { name: 'Approve $77.00' }));
    await waitFor(() =>
      expect(calls.map(({ body }) => body)).toEqual([{ amount: 77, userId: 'u-sabbir', reason: 'bKash shows ৳9,471.' }]),
    );
  });

  it('opens the next one when it is decided, whose button a double click does not press', async () => {
    queues([aQueuedDeposit(), aQueuedDeposit({ _id: 'dep-2', user: { ...karim, email: 'karim@example.com' } })]);
    const calls = onPost(APPROVE, approved);
    const others = onPost('/admin/deposit/approve/dep-2', approved);
    const { user, router, drawer } = await openClaimed();
    const double = holdTimers(DOUBLE_CLICK_TIME);
    await user.click(drawer.getByRole('button', { name: 'Approve $80.00' }));
    const next = within(await screen.findByRole('dialog', { name: /karim reports/ }));
    expect(calls).toHaveLength(1);
    expect(router.state.location.search).toEqual({ review: 'dep-2' });
    expect(next.getByText('Done: $80.00 → sabbir')).toBeVisible();
    expect(next.getByRole('button', { name: 'Approve $80.00' })).toBeDisabled();
    double.end();
    await waitFor(() => expect(next.getByRole('button', { name: 'Approve $80.00' })).toBeEnabled());
    expect(others).toEqual([]);
  });

  it('asks about the next one when its key is pressed while the one before is handled', async () => {
    queues([aQueuedDeposit(), aQueuedDeposit({ _id: 'dep-2', user: { ...karim, email: 'karim@example.com' } })]);
    const answered = deferred();
    server.use(
      http.post(`*/api${APPROVE}`, async () => {
        await answered.promise;
        return approved();
      }),
    );
    const others = onPost('/admin/deposit/approve/dep-2', approved);
    const { user } = await openClaimed();
    await user.keyboard('a');
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Approve $80.00' }));
    await user.keyboard('a{Enter}');
    answered.resolve();
    expect(await screen.findByText('$80.00 is added to karim’s balance now. This can’t be undone.')).toBeVisible();
    expect(others).toEqual([]);
  });

  it('tells who has handled a stale row, and refreshes', async () => {
    const { deposits } = queues([aQueuedDeposit()]);
    const text = 'Already handled by karim at 19 Nov 2026, 10:59.';
    onPost(APPROVE, refusal(409, 'already_handled', text));
    const { user, drawer } = await openClaimed();
    deposits.length = 0;
    await user.click(drawer.getByRole('button', { name: 'Approve $80.00' }));
    expect(await drawer.findByText(text)).toBeVisible();
    expect(said()).toEqual([['error', text]]);
    expect(await screen.findByText('No deposits waiting')).toBeVisible();
    expect(drawer.queryByRole('button', { name: /^Approve/ })).toBeNull();
  });

  it('finishes a payment in progress by itself', async () => {
    onPost(APPROVE, () => HttpResponse.json({ operation: anOperation('deposit_approve') }, { status: 202 }));
    const finish = pendingUntil(anOperation('deposit_approve'));
    const { user, drawer } = await openClaimed();
    await user.click(drawer.getByRole('button', { name: 'Approve $80.00' }));
    expect(await drawer.findByText('Payment processing')).toBeVisible();
    expect(drawer.getByRole('button', { name: 'Reject' })).toBeDisabled();
    finish();
    await waitFor(() => expect(said()).toEqual([['success', 'Balance updated successfully']]));
    expect(await drawer.findByText('Done: $80.00 → sabbir')).toBeVisible();
  });

  it('leaves a row alone that another admin works on', async () => {
    const { claims } = queues([aQueuedDeposit({ claim: { admin: karim, until: soon() } })]);
    const { drawer } = await openReview();
    expect(await drawer.findByText(/^karim is working on it, until/)).toBeVisible();
    expect(drawer.queryByRole('button', { name: /^Approve/ })).toBeNull();
    expect(screen.getByText('karim is on it')).toBeVisible();
    expect(claims).toEqual([]);
  });

  it('leaves the admin’s own request to others', async () => {
    const { _id, username, profilePic, isStaff, email } = nadia;
    const { claims } = queues([aQueuedDeposit({ user: { _id, username, profilePic, isStaff, email } })]);
    renderAt('/admin/deposit?review=dep-1');
    expect(await screen.findByText('This is your own request. Another admin has to handle it.')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull();
    expect(claims).toEqual([]);
  });
});
