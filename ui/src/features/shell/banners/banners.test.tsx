import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Paused, User } from '@/api/contract';
import { keys } from '@/entities/keys';
import { queryClient } from '@/testing/query-client';
import { notices } from '@/testing/recorded';
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

const reader: User = {
  ...nusrat,
  terms: { acceptedVersion: '2026-11-01', acceptedAt: '2026-11-01T00:00:00Z', currentVersion: '2027-02-01' },
};

const said = () => notices.map(({ kind, text }) => [kind, text]);
let asked: unknown[];

function answer(response: () => Response) {
  server.use(
    http.post('*/api/auth/terms', async ({ request }) => {
      asked.push(await request.json());
      return response();
    }),
  );
}

describe('changed terms', () => {
  beforeEach(() => {
    asked = [];
  });

  it('are to be read and accepted, which the banner ends', async () => {
    signedInAs(reader);
    answer(() =>
      HttpResponse.json({
        ...{ message: 'Thank you.', outcome: 'terms_accepted' },
        user: { ...reader, terms: { ...reader.terms, acceptedVersion: '2027-02-01' } },
      }),
    );
    const { user } = renderAt('/refer');
    const accept = await screen.findByRole('button', { name: 'Accept' });
    expect(screen.getByText(/^We have updated our/)).toBeVisible();
    await user.click(accept);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull());
    await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
    expect(asked).toEqual([{ version: '2027-02-01' }]);
    expect(said()).toEqual([['success', 'Thank you.']]);
  });

  it('that changed once more say so, and the banner stays', async () => {
    signedInAs(reader);
    answer(() =>
      HttpResponse.json(
        { code: 'conflict', reason: 'terms_outdated', message: 'The terms have changed. Please reload the page.' },
        { status: 409 },
      ),
    );
    const { user } = renderAt('/refer');
    await user.click(await screen.findByRole('button', { name: 'Accept' }));
    await waitFor(() => expect(said()).toEqual([['error', 'The terms have changed. Please reload the page.']]));
    expect(screen.getByRole('button', { name: 'Accept' })).toBeVisible();
  });

  it('that were accepted are not mentioned', async () => {
    signedInAs(nusrat);
    renderAt('/refer');
    await screen.findByRole('heading', { level: 1 });
    expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull();
  });
});
