import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import type { CheckedPaper } from '@/api/contract';
import { setLanguage } from '@/i18n';
import { renderAt } from '@/testing/render';
import { server } from '@/testing/server';

const CODE = '04pq8vzj3n';
const NONE: CheckedPaper = { operator: 'Amanat Ltd, 12 Lake Road, Dhaka', deal: null, deposit: null, statement: null };
const DEAL: CheckedPaper = {
  ...NONE,
  deal: {
    ...{ number: 'D-00AB-12CD-34EF', buyer: 'n•••t', seller: 't•••r', price: 480, paidAt: '2026-11-10T04:02:00Z' },
    ...{ status: 'Active', closedAt: null, refund: null },
  },
};
const STATEMENT: CheckedPaper = {
  ...NONE,
  statement: {
    ...{ user: 'n•••t', from: '2026-10-31T18:00:00Z', to: '2026-11-10T18:00:00Z', madeAt: '2026-11-21T05:07:00Z' },
    ...{ kind: 'deposits', count: 2, opening: 0, in: 500, out: 0, closing: 400 },
  },
};

async function opened(paper: CheckedPaper) {
  server.use(http.get(`*/api/check/${CODE}`, () => HttpResponse.json(paper)));
  renderAt(`/check/${CODE}`);
  await waitFor(() => expect(screen.getByRole('main')).not.toHaveTextContent(/Loading|লোড হচ্ছে/));
  return screen.getByRole('main');
}

describe('the page that proves a paper', () => {
  it('says what the receipt of a deal must say, and how the deal stands', async () => {
    const page = await opened(DEAL);
    expect(page).toHaveTextContent('From AmanatAmanat made this receipt for Amanat Ltd.');
    for (const text of ['Receipt numberD-00AB-12CD-34EF', 'Buyern•••t', 'Sellert•••r', 'Price$480.00', 'StatusActive'])
      expect(page).toHaveTextContent(text);
    expect(page).not.toHaveTextContent('Refunded');
    expect(screen.getByText(`${window.location.origin}/check/${CODE}`)).toBeVisible();
  });

  it('says what came back of a deal that ended', async () => {
    const deal = { ...DEAL.deal, status: 'Cancelled', closedAt: '2026-11-20T09:00:00Z', refund: 470.4 } as CheckedPaper['deal'];
    const page = await opened({ ...DEAL, deal });
    for (const text of ['Refunded to the buyer$470.40', 'Closed on20 November 2026, 15:00', 'StatusCancelled'])
      expect(page).toHaveTextContent(text);
  });

  it('says what the receipt of a deposit must say, in Bangla', async () => {
    await setLanguage('bn');
    const page = await opened({
      ...NONE,
      deposit: {
        ...{ number: 'P-00AB-12CD-34EF', user: 'n•••t', paymentMethod: 'Bkash', amount: 100, convertedAmount: 12300 },
        creditedAt: '2026-11-19T05:10:00Z',
      },
    });
    for (const text of ['রসিদটি Amanat Ltd-এর হয়ে', 'মাধ্যমবিকাশ', '$১০০.০০', '৳১২,৩০০', '১৯ নভেম্বর, ২০২৬'])
      expect(page).toHaveTextContent(text);
  });

  it('says what a statement must say', async () => {
    const page = await opened(STATEMENT);
    for (const text of [
      ...['Amanat made this statement', 'Usern•••t', '1 November 2026 to 10 November 2026', 'KindDeposits'],
      ...['Money in$500.00', 'Closing balance$400.00', 'Transactions2', 'Made on21 November 2026, 11:07'],
    ])
      expect(page).toHaveTextContent(text);
  });

  it('says that a paper is not from Amanat', async () => {
    server.use(http.get('*/api/check/:code', () => HttpResponse.json({ code: 'not_found', message: '' }, { status: 404 })));
    renderAt(`/check/${CODE}`);
    expect(await screen.findByRole('heading', { level: 1, name: 'Not from Amanat' })).toBeVisible();
  });
});
