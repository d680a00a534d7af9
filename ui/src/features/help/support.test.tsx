import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { setLanguage } from '@/i18n';
import { dealsAre } from '@/testing/deal-lists';
import { ACTIVE, aDetail, closePage, held, serveDeal } from '@/testing/deals';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { aDeal, nusrat, server, signedInAs } from '@/testing/server';

const said = () => notices.map(({ kind, text }) => [kind, text]);
let bodies: unknown[];
let sentKeys: (string | null)[];

function supportAnswers(...answer: (() => Response)[]) {
  server.use(
    http.post('*/api/deals/support', async ({ request }) => {
      bodies.push(await request.json());
      sentKeys.push(request.headers.get('Idempotency-Key'));
      return (answer.length > 1 ? answer.shift() : answer[0])?.();
    }),
  );
}

const MESSAGE = 'Your request has been sent to our support.';

function taken() {
  held.deal = aDetail({ ...ACTIVE, frozen: true });
  return HttpResponse.json({ message: MESSAGE }, { status: 201 });
}

beforeEach(() => {
  sessionStorage.clear();
  serveDeal();
  held.deal = aDetail(ACTIVE);
  signedInAs(nusrat);
  bodies = [];
  sentKeys = [];
});

async function open(path = '/support?dealId=d-1') {
  const app = renderAt(path);
  const issue = await screen.findByLabelText('Issue description');
  const submit = () => app.user.click(screen.getByRole('button', { name: 'Submit request' }));
  return { ...app, issue, submit };
}

describe('the call for support', () => {
  it('is about one deal, whose id cannot be changed', async () => {
    await open();
    expect(screen.getByLabelText('Deal id')).toHaveValue('d-1');
    expect(screen.getByLabelText('Deal id')).toHaveAttribute('readonly');
    expect(await screen.findByText(/^With your first request, deadlines pause/)).toBeVisible();
  });

  it.each([
    [
      'paid',
      ACTIVE,
      ['With your first request, deadlines pause', 'An admin reads', 'You two can still settle', 'When we are done, deadlines'],
    ],
    ['not yet paid', {}, ['An admin reads', 'You two can still settle']],
    ['over', { status: 'Completed', closedAt: '2026-11-24T04:00:00Z' }, ['An admin reads']],
  ] as const)('says what happens then to a deal that is %s', async (_what, over, steps) => {
    held.deal = aDetail(over);
    await open();
    const list = within(screen.getByRole('region', { name: 'What happens next' }));
    await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(steps.length));
    const said = list.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(said).toEqual(steps.map((step) => expect.stringContaining(step) as string));
  });

  it('leads to the dispute that runs about the deal', async () => {
    held.deal = aDetail({ ...ACTIVE, dispute: { _id: 'x-1', status: 'open' } });
    await open();
    expect(await screen.findByRole('link', { name: 'Open the dispute' })).toHaveAttribute('href', '/disputes/x-1');
  });

  it('says nothing of a dispute that is over', async () => {
    held.deal = aDetail({ ...ACTIVE, dispute: { _id: 'x-1', status: 'closed' } });
    await open();
    expect(await screen.findByText(/^With your first request, deadlines pause/)).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Open the dispute' })).toBeNull();
  });

  it('needs a description', async () => {
    const { issue, submit, user } = await open();
    await user.type(issue, '   ');
    await submit();
    await waitFor(() => expect(said()).toEqual([['error', 'Please describe the issue.']]));
    expect(issue).toHaveAccessibleDescription('Please describe the issue.');
    expect(issue).toHaveFocus();
    expect(bodies).toEqual([]);
  });

  it('is sent, says the server’s word, and leads back to the deal, whose clock now stands', async () => {
    supportAnswers(taken);
    const { issue, submit, user, router } = await open();
    await user.type(issue, ' Nothing came. ');
    await submit();
    await waitFor(() => expect(said()).toEqual([['success', MESSAGE]]));
    expect(bodies).toEqual([{ dealId: 'd-1', issueDescription: 'Nothing came.', userId: 'u-nusrat', username: 'nusrat' }]);
    await waitFor(() => expect(router.state.location.pathname).toBe('/deal/d-1'));
    expect(await screen.findByText('Deadlines paused')).toBeVisible();
    closePage();
    expect((await open()).issue).toHaveValue('');
  });

  it('keeps what was typed through a lost answer and a reload, and its key', async () => {
    supportAnswers(() => HttpResponse.error(), taken);
    const { issue, submit, user } = await open();
    await user.type(issue, 'Nothing came.');
    await submit();
    await waitFor(() => expect(said()).toEqual([['error', 'Failed to submit support request.']]));
    expect(screen.getByRole('alert')).toHaveTextContent('Failed to submit support request.');
    expect(issue).toHaveValue('Nothing came.');
    await submit();
    await waitFor(() => expect(said().at(-1)).toEqual(['success', MESSAGE]));
    expect(sentKeys[1]).toBe(sentKeys[0]);
  });

  it('keeps what was typed through a reload', async () => {
    const first = await open();
    await first.user.type(first.issue, 'Nothing came.');
    closePage();
    expect((await open()).issue).toHaveValue('Nothing came.');
  });

  it('says the server’s word of a refusal and keeps it on the page', async () => {
    const message = 'Your last request for this deal is still open. We will answer it.';
    supportAnswers(() => HttpResponse.json({ message, code: 'conflict' }, { status: 409 }));
    const { issue, submit, user } = await open();
    await user.type(issue, 'Still nothing.');
    await submit();
    await waitFor(() => expect(said()).toEqual([['error', message]]));
    expect(screen.getByRole('alert')).toHaveTextContent(message);
    expect(issue).toHaveValue('Still nothing.');
  });

  it('thanks in Bangla whoever reads Bangla', async () => {
    await setLanguage('bn');
    supportAnswers(taken);
    const { user } = renderAt('/support?dealId=d-1');
    await user.type(await screen.findByLabelText('সমস্যার বিবরণ'), 'কিছু আসেনি।');
    await user.click(screen.getByRole('button', { name: 'অনুরোধ পাঠান' }));
    await waitFor(() => expect(said()).toEqual([['success', 'আপনার অনুরোধ আমাদের সহায়তা দলের কাছে গেছে।']]));
  });

  it('says that the deals could not be loaded, and asks again on Retry', async () => {
    server.use(http.get('*/api/deals/my-deals', () => HttpResponse.json({ message: '', code: 'internal' }, { status: 500 })));
    const { user } = renderAt('/support');
    const retry = await screen.findByRole('button', { name: 'Retry' });
    expect(screen.queryByRole('link', { name: 'Go to your deals' })).toBeNull();
    dealsAre(aDeal(ACTIVE));
    await user.click(retry);
    expect(await screen.findByRole('link', { name: /with tanvir/i })).toBeVisible();
  });

  it('without a deal offers those one has', async () => {
    dealsAre(aDeal(ACTIVE));
    const { user } = renderAt('/support');
    await user.click(await screen.findByRole('link', { name: /With tanvir/ }));
    expect(await screen.findByLabelText('Deal id')).toHaveValue('d-1');
  });

  it('offers the latest twenty of many, and the list of all', async () => {
    dealsAre(...Array.from({ length: 25 }, (_, index) => aDeal({ ...ACTIVE, _id: `d-${index}` })));
    renderAt('/support');
    expect(await screen.findAllByRole('link', { name: /With tanvir/ })).toHaveLength(20);
    expect(screen.getByRole('link', { name: 'Go to your deals' })).toBeVisible();
  });

  it('without any deal says where to make one', async () => {
    renderAt('/support');
    expect(await screen.findByRole('link', { name: 'Go to your deals' })).toHaveAttribute('href', '/deal');
    expect(screen.getByText('Which deal is it about?')).toBeVisible();
  });

  it('asks a visitor to log in first and knows the deal afterwards', async () => {
    server.use(http.get('*/api/auth/check', () => HttpResponse.json({ message: '', code: 'unauthenticated' }, { status: 401 })));
    const { router } = renderAt('/support?dealId=d-1');
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(router.state.location.search).toEqual({ redirect: '/support?dealId=d-1' });
  });
});
