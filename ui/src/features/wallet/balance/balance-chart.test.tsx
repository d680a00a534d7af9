import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { setLanguage } from '@/i18n';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';
import { aMovement, aWalletHistory, histories } from '../fixtures';

const came = aMovement({
  kind: 'deposit_approve',
  subject: 'deposit:dep-1',
  amount: 500,
  balanceAfter: 500,
  at: '2026-11-10T04:00:00Z',
});
const paid = aMovement({ at: '2026-11-12T04:00:00Z' });

async function section(user: UserEvent) {
  await user.click(await screen.findByText('Balance over time'));
  return within(await screen.findByRole('region', { name: 'Balance over time' }));
}

beforeEach(() => {
  signedInAs(nusrat);
  histories();
});

describe('the chart of the balance', () => {
  it('is told in words', async () => {
    server.use(http.get('*/api/wallet/history', () => HttpResponse.json(aWalletHistory({ movements: [came, paid] }))));
    const { user } = renderAt('/balance');
    const chart = await section(user);
    const words = '$500.00 came in, $100.00 went out. Highest $500.00, lowest $0.00.';
    expect(await chart.findByText(words)).toBeVisible();
  });

  it('says so when nothing has moved, and when the oldest are left out', async () => {
    server.use(http.get('*/api/wallet/history', () => HttpResponse.json(aWalletHistory({ opening: 212.4 }))));
    const { user } = renderAt('/balance');
    const chart = await section(user);
    expect(await chart.findByText('No transactions in this period. Balance: $212.40.')).toBeVisible();
    const asked: (string | null)[] = [];
    server.use(
      http.get('*/api/wallet/history', ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('days'));
        return HttpResponse.json(aWalletHistory({ opening: 500, movements: [paid], complete: false }));
      }),
    );
    await user.selectOptions(chart.getByLabelText('Period'), 'Last year');
    expect(await chart.findByText(/The oldest transactions of this period are left out/)).toBeVisible();
    expect(asked).toEqual(['365']);
  });

  it('writes Bangla digits', async () => {
    server.use(http.get('*/api/wallet/history', () => HttpResponse.json(aWalletHistory({ movements: [came] }))));
    await setLanguage('bn');
    const { user } = renderAt('/balance');
    await user.click(await screen.findByText('ব্যালেন্সের ওঠানামা'));
    expect(await screen.findByText(/^এসেছে \$৫০০\.০০/)).toBeVisible();
  });

  it('leaves the rest of the page alone when it cannot be loaded, and is loaded again', async () => {
    server.use(http.get('*/api/wallet/history', () => HttpResponse.json({ code: 'conflict', message: '' }, { status: 409 })));
    const { user } = renderAt('/balance');
    const chart = await section(user);
    expect(await chart.findByText('Your transactions could not be loaded.')).toBeVisible();
    expect(await screen.findByText('No transactions')).toBeVisible();
    histories();
    await user.click(chart.getByRole('button', { name: 'Retry' }));
    expect(await chart.findByText(/^No transactions in this period/)).toBeVisible();
  });
});
