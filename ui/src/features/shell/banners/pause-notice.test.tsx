import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import type { Paused } from '@/api/contract';
import { keys } from '@/entities/keys';
import { queryClient } from '@/testing/query-client';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

const DEPOSITS = 'Deposits are paused for a short time. Please do not send money now.';
const WITHDRAWALS = 'Withdrawals are paused for a short time. Your balance is safe.';
const MONEY = 'Payments are paused for a short time. Your money is safe, and deals keep their state.';

function pause(...areas: Paused['area'][]) {
  const paused = areas.map((area) => ({ area, since: '2026-11-20T10:00:00Z' }));
  server.use(http.get('*/api/public/pauses', () => HttpResponse.json({ paused })));
}

describe('what the operator has paused', () => {
  it('is said over every page, and gone when it goes on', async () => {
    signedInAs(nusrat);
    pause('deposits', 'withdrawals', 'signups');
    renderAt('/refer');
    expect(await screen.findByText(DEPOSITS)).toBeVisible();
    expect(screen.getByText(WITHDRAWALS)).toBeVisible();
    expect(screen.queryByText(MONEY)).toBeNull();
    pause();
    await queryClient.invalidateQueries({ queryKey: keys.pauses });
    await waitFor(() => expect(screen.queryByText(DEPOSITS)).toBeNull());
  });

  it('is said once where no money moves at all', async () => {
    signedInAs(nusrat);
    pause('money', 'deposits', 'withdrawals', 'signups');
    renderAt('/refer');
    expect(await screen.findByText(MONEY)).toBeVisible();
    expect(screen.queryByText(DEPOSITS)).toBeNull();
  });
});
