import { act, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { sessionEnded } from '@/lib/query-client';
import { queryClient } from '@/testing/query-client';
import { renderAt } from '@/testing/render';
import { nusrat, signedInAs } from '@/testing/server';

// Gone since a deploy.
vi.mock('./session-ended-dialog', () => {
  throw new Error('Failed to fetch dynamically imported module');
});

beforeEach(() => {
  // What jsdom lacks.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
});

it('a session that ends where the log-in cannot be had leads to its page, and what was typed stays', async () => {
  signedInAs(nusrat);
  const { user } = renderAt('/reportabug');
  await user.type(await screen.findByLabelText('Subject'), 'No picture');
  await screen.findByRole('button', { name: 'Profile menu' });
  act(() => sessionEnded(queryClient));
  expect(await screen.findByRole('dialog', { name: 'Your session has ended.' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login?redirect=%2Freportabug');
  expect(screen.getByLabelText('Subject')).toHaveValue('No picture');
});
