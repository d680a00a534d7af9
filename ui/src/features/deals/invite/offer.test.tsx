import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { InviteOffer } from '@/api/contract';
import { setLanguage } from '@/i18n';
import { aDetail, closePage } from '@/testing/deals';
import { anOffer, CODE } from '@/testing/invites';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { newAccountsBuyUpTo, nusrat, server, signedInAs } from '@/testing/server';

const PATH = `/d/${CODE}`;

function offers(over: Partial<InviteOffer> = {}): void {
  server.use(http.get(`*/api/invites/${CODE}`, () => HttpResponse.json(anOffer(over))));
}

const refusal = (reason: string, message: string) => HttpResponse.json({ code: 'not_found', reason, message }, { status: 404 });

async function open() {
  const app = renderAt(PATH);
  await screen.findByRole('heading', { level: 1, name: 'Ranna Ghor 24' });
  return app;
}

beforeEach(() => offers());

describe('the offer of a link', () => {
  it('is read without an account: who, what, when, what it costs, how it goes', async () => {
    await open();
    expect(screen.getByText('tanvir offers you a deal')).toBeVisible();
    expect(screen.getByRole('link', { name: /tanvir/ })).toHaveTextContent('24 of 25 deals completed · 96% · rated 4.8 of 5');
    expect(screen.getByText('7 days after you join')).toBeVisible();
    expect(screen.getByRole('region', { name: 'Who gets what' })).toHaveTextContent(
      'You pay$200.00Amanat’s fee, 2%− $4.00tanvir gets$196.00',
    );
    const steps = within(screen.getByRole('region', { name: 'How it works' })).getAllByRole('listitem');
    expect(steps).toHaveLength(3);
    expect(steps[2]).toHaveTextContent('You release the moneytanvir gets $196.00.');
  });

  it('leads a visitor through sign-up or login, and back', async () => {
    await open();
    const redirect = encodeURIComponent(PATH);
    for (const link of screen.getAllByRole('link', { name: 'Sign up to join' })) {
      expect(link).toHaveAttribute('href', `/signup?redirect=${redirect}`);
    }
    expect(screen.getByRole('link', { name: 'I have an account' })).toHaveAttribute('href', `/login?redirect=${redirect}`);
  });

  it('says before the sign-up what a new account may buy', async () => {
    await open();
    expect(screen.queryByText(/^New accounts/)).toBeNull();
    closePage();
    newAccountsBuyUpTo(199);
    await open();
    expect(await screen.findByText('New accounts buy up to $199.')).toBeVisible();
    expect(screen.getByText('Wait a day for $1,000.')).toBeVisible();
    closePage();
    // A seller may get any price.
    offers({ role: 'Buyer' });
    await open();
    expect(screen.queryByText(/^New accounts/)).toBeNull();
  });

  it('is told the other way round to a seller', async () => {
    offers({ role: 'Buyer', successScore: null, completedDeals: 0, finishedDeals: 0, averageRating: null });
    await open();
    expect(screen.getByText('tanvir wants to pay you')).toBeVisible();
    expect(screen.getByText('No finished deals yet')).toBeVisible();
    expect(screen.getByText('You deliver')).toBeVisible();
    expect(screen.getByRole('region', { name: 'Who gets what' })).toHaveTextContent('tanvir pays$200.00');
  });

  it('is in Bangla', async () => {
    await setLanguage('bn');
    renderAt(PATH);
    expect(await screen.findByText('tanvir আপনাকে একটি ডিলের প্রস্তাব দিয়েছেন')).toBeVisible();
    expect(screen.getByText('২৫টি ডিলের ২৪টি সম্পন্ন · ৯৬% · রেটিং ৫-এ ৪.৮')).toBeVisible();
    expect(screen.getAllByText('$২০০.০০')).not.toHaveLength(0);
    await setLanguage('en');
  });
});

describe('a member', () => {
  beforeEach(() => signedInAs(nusrat));

  it('joins with one click, sent with a key, and is in the deal', async () => {
    const sent: (string | null)[] = [];
    const deal = aDetail();
    server.use(
      http.post(`*/api/invites/${CODE}/join`, ({ request }) => {
        sent.push(request.headers.get('Idempotency-Key'));
        return HttpResponse.json(deal, { status: 201 });
      }),
      http.get('*/api/deals/:id', () => HttpResponse.json(deal)),
    );
    const { user, router } = await open();
    const [join] = screen.getAllByRole('button', { name: 'Join this deal' });
    if (!join) throw new Error('there is no button');
    await user.click(join);
    await waitFor(() => expect(router.state.location.pathname).toBe(`/deal/${deal._id}`));
    expect(sent).toEqual([expect.stringMatching(/^\w{32}$/)]);
    expect(notices.map(({ text }) => text)).toEqual(['You are in the deal.']);
  });

  it('reads why they cannot join', async () => {
    server.use(
      http.post(`*/api/invites/${CODE}/join`, () =>
        HttpResponse.json(
          { code: 'forbidden', reason: 'deal_blocked_by_them', message: 'You cannot make a deal with this user.' },
          { status: 403 },
        ),
      ),
    );
    const { user } = await open();
    const [join] = screen.getAllByRole('button', { name: 'Join this deal' });
    if (!join) throw new Error('there is no button');
    await user.click(join);
    await waitFor(() => expect(notices.map(({ text }) => text)).toEqual(['You cannot make a deal with this user.']));
  });

  it('reads above the price by which limit they were refused', async () => {
    const message = 'Deals up to $150.00 are possible with your account now.';
    server.use(
      http.post(`*/api/invites/${CODE}/join`, () =>
        HttpResponse.json({ code: 'conflict', reason: 'limit_per_deal', params: { limit: 150 }, message }, { status: 409 }),
      ),
    );
    const { user } = await open();
    const [join] = screen.getAllByRole('button', { name: 'Join this deal' });
    if (join) await user.click(join);
    const price = within(screen.getByRole('region', { name: '$200' }));
    expect(await price.findByText(message)).toBeVisible();
    expect(screen.getAllByText(message)).toHaveLength(1);
  });

  it('cannot join their own link', async () => {
    offers({ isOwn: true });
    await open();
    expect(screen.getByText('This is your own link. Send it to whoever the deal is with.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Join this deal' })).toBeNull();
  });

  it('who has joined is led to the deal', async () => {
    const deal = aDetail();
    offers({ dealId: '0198c0de-0000-7000-8000-000000000001' });
    server.use(http.get('*/api/deals/:id', () => HttpResponse.json(deal)));
    const { router } = renderAt(PATH);
    await waitFor(() => expect(router.state.location.pathname).toBe('/deal/0198c0de-0000-7000-8000-000000000001'));
  });
});

it.each([
  ['invite_used', 'Someone has joined this deal already. Ask whoever sent the link for a new one.'],
  ['invite_revoked', 'Whoever made this link has cancelled it.'],
  ['invite_expired', 'This link has expired. Ask whoever sent it for a new one.'],
])('a link that has ended says so: %s', async (reason, message) => {
  server.use(http.get(`*/api/invites/${CODE}`, () => refusal(reason, message)));
  renderAt(PATH);
  expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  expect(screen.getByText(message)).toBeVisible();
});
