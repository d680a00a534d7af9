import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import type { StatementLine, WalletStatement } from '@/api/contract';
import * as files from '@/lib/save-file';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

const DEAL = '019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f';

const paid: StatementLine = {
  ...{ kind: 'deal_pay', subject: `deal:${DEAL}`, amount: -100, balanceAfter: 400, at: '2026-11-20T09:00:00Z', reason: null },
  ...{ title: 'Cooking channel', with: 'karim', method: null, reference: null },
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
  ...{ title: null, with: null, method: 'Bkash', reference: '9H7A1B2C3D' },
};
const whole: WalletStatement = {
  ...{ success: true, page: 1, pages: 3, total: 52, opening: 0, closing: 400, in: 500, out: 100 },
  lines: [paid, deposited],
};

let saveFile: MockInstance<typeof files.saveFile>;
/** What the server was asked for, in order. */
let asked: string[];

beforeEach(() => {
  signedInAs(nusrat);
  asked = [];
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
    renderAt('/balance/statement');
    const rows = within(await screen.findByRole('table'));
    const deal = rows.getByRole('row', { name: /Deal payment/ });
    expect(deal).toHaveTextContent('− 100.00');
    expect(within(deal).getByRole('link', { name: 'Cooking channel' })).toHaveAttribute('href', `/deal/${DEAL}`);
    expect(deal).toHaveTextContent('Cooking channel · karim');
    expect(within(deal).getByRole('link', { name: 'karim' })).toHaveAttribute('href', '/profile/karim');
    expect(rows.getByRole('row', { name: /Deposit/ })).toHaveTextContent('bKash · 9H7A1B2C3D');
    const sums = within(screen.getByRole('region', { name: 'Summary' }));
    for (const text of [/^\$0\.00$/, /^\$500\.00$/, /100\.00$/, /^\$400\.00$/]) expect(sums.getByText(text)).toBeVisible();
  });

  it('asks for the days, kind and page of the address, and starts at the first page of another choice', async () => {
    const { user, router } = renderAt('/balance/statement?from=2026-11-01&to=2026-11-10&page=2');
    await screen.findByRole('table');
    expect(asked).toEqual(['from=2026-11-01&to=2026-11-10&page=2&limit=25']);
    await user.click(screen.getByRole('button', { name: 'Deposits' }));
    await waitFor(() => expect(asked.at(-1)).toBe('from=2026-11-01&to=2026-11-10&kind=deposits&page=1&limit=25'));
    expect(router.state.location.search).toEqual({ from: '2026-11-01', to: '2026-11-10', kind: 'deposits' });
    expect(await screen.findByText(/count the chosen kind only/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ page: 2, kind: 'deposits' }));
  });

  it('downloads what is chosen, and says when that fails', async () => {
    const { user } = renderAt('/balance/statement?from=2026-11-01&kind=deals');
    await user.click(await screen.findByRole('button', { name: 'PDF' }));
    await waitFor(() => expect(saveFile).toHaveBeenCalledWith('/wallet/statement/pdf?from=2026-11-01&kind=deals&language=en'));
    saveFile.mockRejectedValue(new Error('no'));
    await user.click(await screen.findByRole('button', { name: 'Spreadsheet (CSV)' }));
    await waitFor(() => expect(notices.at(-1)).toMatchObject({ kind: 'error', text: 'The file could not be downloaded.' }));
  });

  it('says that nothing moved', async () => {
    server.use(
      http.get('*/api/wallet/statement', () =>
        HttpResponse.json({ ...whole, lines: [], total: 0, pages: 0, in: 0, out: 0, closing: 0 }),
      ),
    );
    renderAt('/balance/statement');
    expect(await screen.findByText('Nothing moved your balance in these days.')).toBeVisible();
  });
});
