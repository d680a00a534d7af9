import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { server } from '@/testing/server';
import { anOpenDeal, aSupportRequest, bareList, dealQueues, karim, onPost, refusal } from '../fixtures';

const CLOSE = '/admin/support-request/sup-1/close';
const said = () => notices.map(({ kind, text }) => [kind, text]);
const frozen = () => anOpenDeal({ status: 'Late', frozen: true });

async function openReview() {
  const page = renderAt('/admin/support-requests?review=sup-1');
  const drawer = within(await screen.findByRole('dialog', { name: 'nusrat asks for help' }));
  await drawer.findByText('Ranna Ghor 24');
  return { ...page, drawer };
}

async function askToClose(user: Awaited<ReturnType<typeof openReview>>['user']) {
  await user.keyboard('c');
  return within(await screen.findByRole('alertdialog', { name: 'Close nusrat’s request?' }));
}

beforeEach(() => {
  dealQueues([frozen()], [aSupportRequest()]);
});

describe('the support requests', () => {
  it('are listed with who waits for how long, and counted in the menu', async () => {
    const closed = aSupportRequest({ _id: 'sup-2', closedAt: '2026-11-19T04:00:00Z', closedBy: karim });
    dealQueues([frozen()], [aSupportRequest(), closed]);
    renderAt('/admin/support-requests');
    const rows = within(await screen.findByRole('table', { name: 'Support requests' })).getAllByRole('row');
    expect(rows[1]).toHaveTextContent('The seller does not answer.');
    expect(rows[1]).toHaveTextContent('3 h 20 min');
    expect(rows[1]).toHaveTextContent('Ranna Ghor 24');
    expect(rows[2]).toHaveTextContent('closed');
    expect(await screen.findByRole('link', { name: /^Support requests.*1 waiting$/ })).toBeVisible();
  });

  it('say so when there are none', async () => {
    dealQueues();
    renderAt('/admin/support-requests');
    expect(await screen.findByText('No support requests.')).toBeVisible();
  });

  it('are searched', async () => {
    const asked: string[] = [];
    server.use(
      http.get('*/api/admin/support-request', ({ request }) => {
        const search = new URL(request.url).searchParams.get('search');
        if (search !== null) asked.push(search);
        return bareList(search === null ? [aSupportRequest()] : [], request);
      }),
    );
    const { user, router } = renderAt('/admin/support-requests');
    await screen.findByRole('table', { name: 'Support requests' });
    await user.keyboard('/');
    await user.keyboard('kar{Enter}');
    expect(await screen.findByText('No requests match.')).toBeVisible();
    expect(asked).toEqual(['kar']);
    expect(router.state.location.search).toEqual({ search: 'kar' });
  });

  it('say so when they cannot be loaded', async () => {
    server.use(
      http.get('*/api/admin/support-request', () => HttpResponse.json({ code: 'conflict', message: '' }, { status: 409 })),
    );
    const { user } = renderAt('/admin/support-requests');
    expect(await screen.findByText('Failed to fetch support requests')).toBeVisible();
    dealQueues([frozen()], [aSupportRequest()]);
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('table')).toBeVisible();
  });
});

describe('one support request', () => {
  it('shows what is wrong on which deal, and leads to it', async () => {
    const { drawer, router, user } = await openReview();
    expect(drawer.getByText('The seller does not answer.')).toBeVisible();
    expect(drawer.getByText('nusrat, the buyer')).toBeVisible();
    await user.click(drawer.getByRole('link', { name: 'Open the deal' }));
    await waitFor(() => expect(router.state.location.search).toEqual({ dealId: 'd-1', review: 'd-1' }));
    expect(await screen.findByRole('dialog', { name: 'Ranna Ghor 24' })).toBeVisible();
  });

  it('is closed with a password that was entered lately', async () => {
    const required = refusal(403, 'password_required', 'Please enter your password again.');
    const calls = onPost(CLOSE, required, () => HttpResponse.json({ message: 'Support request closed' }));
    onPost('/auth/confirm-password', () => HttpResponse.json({ message: 'Password confirmed.' }));
    const { user } = await openReview();
    const asked = await askToClose(user);
    await user.type(asked.getByRole('textbox', { name: /^Your answer/ }), 'Ours.');
    await user.click(asked.getByRole('button', { name: 'Close request' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Enter your password again' }));
    await user.type(dialog.getByLabelText('Password'), 'right{Enter}');
    await waitFor(() => expect(said()).toEqual([['success', 'Support request closed']]));
    expect(calls).toHaveLength(2);
  });

  it('is closed after a question that says what the clock does then', async () => {
    const { requests } = dealQueues([frozen()], [aSupportRequest()]);
    const calls = onPost(CLOSE, () => HttpResponse.json({ message: 'Support request closed' }));
    const { drawer, user } = await openReview();
    const asked = await askToClose(user);
    expect(
      asked.getByText(/^Deadlines resume\. Every date moves by .* \(3 h 20 min so far\), and at least 24 hours are left\./),
    ).toBeVisible();
    requests[0] = aSupportRequest({ closedAt: '2026-11-20T04:00:00Z', closedBy: karim });
    await user.click(asked.getByRole('button', { name: 'Close request' }));
    expect(asked.getByText('Write an answer. Both parties will read it.')).toBeVisible();
    expect(calls).toHaveLength(0);
    await user.type(asked.getByRole('textbox', { name: /^Your answer/ }), 'Please send them again.');
    await user.click(asked.getByRole('button', { name: 'Close request' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Support request closed']]));
    expect(calls.map(({ body }) => body)).toEqual([{ answer: 'Please send them again.' }]);
    expect(await drawer.findByText('Closed. Both parties were notified.')).toBeVisible();
    expect(drawer.queryByRole('button', { name: 'Close request' })).toBeNull();
  });

  it('leaves the clock stopped while the deal has another one', async () => {
    dealQueues([frozen()], [aSupportRequest(), aSupportRequest({ _id: 'sup-2', userId: 'u-tanvir' })]);
    const { user } = await openReview();
    expect((await askToClose(user)).getByText(/^The deal has another open request/)).toBeVisible();
  });

  it('changes no date of a deal that is over', async () => {
    dealQueues([anOpenDeal({ status: 'Completed', closedAt: '2026-11-20T04:00:00Z' })], [aSupportRequest()]);
    const { user } = await openReview();
    expect((await askToClose(user)).getByText(/no date changes/)).toBeVisible();
  });

  it('that another admin has closed meanwhile says who', async () => {
    const { requests } = dealQueues([frozen()], [aSupportRequest()]);
    const text = 'Already handled by karim at 20 Nov 2026, 10:00.';
    onPost(CLOSE, refusal(409, 'already_handled', text));
    const { drawer, user } = await openReview();
    const asked = await askToClose(user);
    requests[0] = aSupportRequest({ closedAt: '2026-11-20T04:00:00Z', closedBy: karim });
    await user.type(asked.getByRole('textbox', { name: /^Your answer/ }), 'Ours.');
    await user.click(asked.getByRole('button', { name: 'Close request' }));
    expect(await drawer.findByText(text)).toBeVisible();
    expect(said()).toEqual([['error', text]]);
    expect(await drawer.findByText('20 Nov, 10:00 by karim')).toBeVisible();
  });

  it('can be read and closed when its deal is gone', async () => {
    dealQueues([], [aSupportRequest()]);
    renderAt('/admin/support-requests?review=sup-1');
    const drawer = within(await screen.findByRole('dialog', { name: 'nusrat asks for help' }));
    expect(await drawer.findByText('The deal was declined before it was paid. Nothing is left of it.')).toBeVisible();
    expect(drawer.getByRole('button', { name: 'Close request' })).toBeEnabled();
  });
});
