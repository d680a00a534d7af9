import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { User } from '@/api/contract';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

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

beforeEach(() => {
  asked = [];
});

describe('changed terms', () => {
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
