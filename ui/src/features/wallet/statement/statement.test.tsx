import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import type { StatementLine, WalletStatement } from '@/api/contract';
import { setLanguage } from '@/i18n';
import * as files from '@/lib/save-file';
import { aPaper } from '@/testing/papers';
import { notices } from '@/testing/recorded';
import { alertSays, renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';
import { histories } from '../fixtures';

const DEAL = '019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f';

const paid: StatementLine = {
  ...{ kind: 'deal_pay', subject: `deal:${DEAL}`, amount: -100, balanceAfter: 400, at: '2026-11-20T09:00:00Z', reason: null },
  ...{
    title: 'Cooking channel',
    with: 'karim',
    method: null,
    reference: null,
    convertedAmount: null,
    claimedAmount: null,
    payoutId: null,
  },
};
const deposited: StatementLine = {
  ...{
    kind: 'deposit_approve',
    subject: 'deposit:d-1',
    amount: 500,
    balanceAfter: 500,
    at: '2026-11-19T09:00:00Z',
    reason: null,
  },
  ...{
    title: null,
    with: null,
    method: 'Bkash',
    reference: '9H7A1B2C3D',
    convertedAmount: 61500,
    claimedAmount: null,
    payoutId: null,
  },
};
const whole: WalletStatement = {
  ...{ success: true, page: 1, pages: 3, total: 52, opening: 0, closing: 400, in: 500, out: 100 },
  lines: [paid, deposited],
  paper: aPaper({ number: '' }),
};

let saveFile: MockInstance<typeof files.saveFile>;
/** The requests, in order. */
let asked: string[];

beforeEach(() => {
  signedInAs(nusrat);
  asked = [];
  histories();
  saveFile = vi.spyOn(files, 'saveFile').mockResolvedValue(undefined);
  server.use(
    http.get('*/api/wallet/statement', ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(searchParams.toString());
      return HttpResponse.json({ ...whole, page: Number(searchParams.get('page')) });
    }),
  );
});

describe('the statement', () => {
  it('shows what each transaction was for, and sums that add up', async () => {
    renderAt('/balance?days=7');
    const rows = within(await screen.findByRole('table'));
    const deal = rows.getByRole('row', { name: /Deal payment/ });
    expect(deal).toHaveTextContent('− 100.00');
    expect(within(deal).getByRole('link', { name: 'Cooking channel' })).toHaveAttribute('href', `/deal/${DEAL}`);
    expect(deal).toHaveTextContent('Cooking channel · karim');
    expect(within(deal).getByRole('link', { name: 'karim' })).toHaveAttribute('href', '/profile/karim');
    expect(rows.getByRole('row', { name: /Deposit/ })).toHaveTextContent('bKash · 9H7A1B2C3D · ৳61,500');
    const sums = within(screen.getByRole('group', { name: 'Summary' }));
    for (const text of [/^\$0\.00$/, /^\$500\.00$/, /100\.00$/, /^\$400\.00$/]) expect(sums.getByText(text)).toBeVisible();
  });

  it('says what was credited instead of the amount that was reported, and why', async () => {
    const other = { ...deposited, claimedAmount: 520, reason: 'bKash shows less.' };
    server.use(http.get('*/api/wallet/statement', () => HttpResponse.json({ ...whole, lines: [other] })));
    renderAt('/balance');
    const row = await screen.findByRole('row', { name: /Deposit/ });
    expect(row).toHaveTextContent('$500.00 credited instead of $520.00.The admin wrote: bKash shows less.');
  });

  it('asks for the days, kind and page of the address, and starts at the first page of another choice', async () => {
    const { user, router } = renderAt('/balance/statement?from=2026-11-01&to=2026-11-10&page=2');
    await waitFor(() => expect(router.state.location.pathname).toBe('/balance'));
    await screen.findByRole('table');
    expect([...new Set(asked)]).toEqual(['from=2026-11-01&to=2026-11-10&page=2&limit=10']);
    await user.click(screen.getByRole('button', { name: 'Deposits' }));
    await waitFor(() => expect(asked.at(-1)).toBe('from=2026-11-01&to=2026-11-10&kind=deposits&page=1&limit=10'));
    expect(router.state.location.search).toEqual({ from: '2026-11-01', to: '2026-11-10', kind: 'deposits' });
    expect(await screen.findByText(/count the chosen kind only/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ page: 2, kind: 'deposits' }));
  });

  it('downloads what is chosen, and says when that fails', async () => {
    const { user } = renderAt('/balance?from=2026-11-01&kind=deals');
    const csv = await screen.findByRole('button', { name: 'Spreadsheet (CSV)' });
    await user.click(csv);
    await waitFor(() => expect(saveFile).toHaveBeenCalledWith('/wallet/statement/csv?from=2026-11-01&kind=deals&language=en'));
    saveFile.mockRejectedValue(new Error('no'));
    await user.click(csv);
    await waitFor(() => expect(notices.at(-1)).toMatchObject({ kind: 'error', text: 'The file could not be downloaded.' }));
  });

  it('keeps its filters folded until they are wanted', async () => {
    const { user } = renderAt('/balance');
    await screen.findByRole('table');
    expect(screen.queryByRole('button', { name: 'Deposits' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Filter and download' }));
    expect(screen.getByRole('button', { name: 'Deposits' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Print or PDF' })).toHaveAttribute('href', '/balance/statement/print');
  });

  it('says that nothing moved', async () => {
    server.use(
      http.get('*/api/wallet/statement', () =>
        HttpResponse.json({ ...whole, lines: [], total: 0, pages: 0, in: 0, out: 0, closing: 0 }),
      ),
    );
    renderAt('/balance?days=7');
    expect(await screen.findByText('Nothing moved your balance in these days.')).toBeVisible();
  });
});

describe('the statement on paper', () => {
  const PATH = '/balance/statement/print?from=2026-11-01&to=2026-11-10';
  /** Serves a statement of `total` transactions in pages. */
  const serve = (total: number, change: (answer: WalletStatement, call: number) => WalletStatement = (answer) => answer) =>
    server.use(
      http.get('*/api/wallet/statement', ({ request }) => {
        const { searchParams } = new URL(request.url);
        asked.push(searchParams.toString());
        const page = Number(searchParams.get('page'));
        const count = Math.max(0, Math.min(100, total - (page - 1) * 100));
        const lines = Array.from({ length: count }, (_, index): StatementLine => {
          const number = total - (page - 1) * 100 - index;
          return { ...deposited, subject: `deposit:d-${number}`, reference: `TRX${number}` };
        });
        return HttpResponse.json(change({ ...whole, page, pages: Math.ceil(total / 100), total, lines }, asked.length));
      }),
    );
  const rows = async () =>
    within(await screen.findByRole('table'))
      .getAllByRole('row')
      .slice(1);
  const references = async () => (await rows()).map((row) => /TRX(\d+)/.exec(row.textContent)?.[1]);

  it('has the period, the sums and all pages, the oldest transaction first, and is printed', async () => {
    serve(730);
    const print = vi.fn();
    vi.stubGlobal('print', print);
    const { user } = renderAt(PATH);
    const expected = Array.from({ length: 730 }, (_, index) => `${index + 1}`);
    expect(await references()).toEqual(expected);
    expect(asked).toHaveLength(8);
    expect(asked[0]).toBe('from=2026-11-01&to=2026-11-10&page=1&limit=100');
    const page = screen.getByRole('main');
    for (const text of ['nusrat', '1 November 2026 to 10 November 2026', 'Opening balance$0.00', 'Money in$500.00']) {
      expect(page).toHaveTextContent(text);
    }
    expect(page).toHaveTextContent('Closing balance$400.00');
    expect(page).toHaveTextContent('≈ ৳48,800, at ৳122 a dollar that day');
    expect(page).toHaveTextContent('Made on 21 November 2026, 11:07, Dhaka time');
    expect(page).toHaveTextContent('Amanat Ltd12 Lake Road, Dhaka');
    expect(screen.getByRole('link', { name: /\/check\/04pq8vzj3n$/ })).toBeVisible();
    expect(screen.getByRole('img', { name: 'QR code of the address' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Print or save as PDF' }));
    expect(print).toHaveBeenCalledOnce();
  });

  it('says what each transaction was for, and the kind that is chosen', async () => {
    renderAt('/balance/statement/print?kind=deals');
    const [oldest, latest] = await rows();
    expect(oldest).toHaveTextContent('Deposit19 November 2026, 15:00 · bKash 9H7A1B2C3D · ৳61,500+ 500.00500.00');
    expect(latest).toHaveTextContent('Deal payment20 November 2026, 15:00 · Cooking channel, with karim− 100.00400.00');
    expect(screen.getByText(/count the chosen kind only/)).toBeVisible();
    expect(screen.getByText('Until 21 November 2026, 11:07')).toBeVisible();
  });

  it('is in Bangla for a reader of Bangla', async () => {
    await setLanguage('bn');
    renderAt(PATH);
    expect((await rows())[0]).toHaveTextContent('টাকা যোগ১৯ নভেম্বর, ২০২৬, দুপুর ৩:০০ · বিকাশ 9H7A1B2C3D · ৳৬১,৫০০+ ৫০০.০০৫০০.০০');
    expect(screen.getByRole('heading', { level: 1, name: 'লেনদেনের বিবরণী' })).toBeVisible();
    expect(screen.getByRole('main')).toHaveTextContent('শেষ ব্যালেন্স$৪০০.০০');
  });

  it('is read again if money moves meanwhile, so that its lines lead from one balance to the other', async () => {
    serve(201, (answer, call) => (call === 2 ? { ...answer, total: 202 } : answer));
    renderAt(PATH);
    expect(await references()).toHaveLength(201);
    expect(
      asked
        .map((query) => new URLSearchParams(query).get('page'))
        .slice(3)
        .sort(),
    ).toEqual(['1', '2', '3']);
  });

  it('says that nothing moved, and can be printed', async () => {
    serve(0);
    renderAt(PATH);
    expect(await screen.findByText('Nothing moved your balance in these days.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Print or save as PDF' })).toBeVisible();
  });

  it('has at most 10,000 transactions', async () => {
    serve(10_001, (answer) => ({ ...answer, paper: null }));
    renderAt(PATH);
    await alertSays(/at most 10,000 transactions/);
    expect(asked).toHaveLength(1);
    expect(screen.queryByRole('button', { name: 'Print or save as PDF' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Back to the statement' })).toHaveAttribute(
      'href',
      '/balance?from=2026-11-01&to=2026-11-10',
    );
  });

  it('says that it could not be loaded, and asks again', async () => {
    server.use(http.get('*/api/wallet/statement', () => HttpResponse.json({ code: 'internal', message: 'No' }, { status: 500 })));
    const { user } = renderAt(PATH);
    const retry = await screen.findByRole('button', { name: 'Retry' });
    serve(2);
    await user.click(retry);
    expect(await rows()).toHaveLength(2);
  });
});
