import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, it, vi } from 'vitest';
import { deliverNotices, notify } from '@/lib/toast';
import { aProfile } from '@/testing/posts';
import { notices } from '@/testing/recorded';
import { endSession, renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

// Chunks that are gone since a deploy.
let toasterAsked = 0;
vi.mock('@/features/shell/toaster/toaster', () => {
  toasterAsked += 1;
  throw new Error('Failed to fetch dynamically imported module');
});
vi.mock('@/features/session/session-ended-dialog', () => {
  throw new Error('Failed to fetch dynamically imported module');
});
vi.mock('@/entities/moderation/report-dialog', () => {
  throw new Error('Failed to fetch dynamically imported module');
});

it('a page without the code of its toasts is a page, and asks for it again when something is said', async () => {
  deliverNotices(() => undefined)(); // no toaster is mounted
  renderAt('/login');
  expect(await screen.findByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
  await waitFor(() => expect(toasterAsked).toBe(1));
  notify.error('No');
  await waitFor(() => expect(toasterAsked).toBe(2));
  expect(screen.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
});

it('a session that ends where the log-in cannot be had leads to its page, and what was typed stays', async () => {
  // jsdom lacks showModal.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  signedInAs(nusrat);
  const { user } = renderAt('/reportabug');
  await user.type(await screen.findByLabelText('Subject'), 'No picture');
  await endSession('dialog');
  expect(screen.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login?redirect=%2Freportabug');
  expect(screen.getByLabelText('Subject')).toHaveValue('No picture');
});

it('a report whose form cannot be had says so at each try, and the page stays', async () => {
  signedInAs(nusrat);
  server.use(http.get('*/api/auth/profile/:name', () => HttpResponse.json(aProfile())));
  const { user } = renderAt('/profile/tanvir');
  const button = await screen.findByRole('button', { name: 'Report this user' });
  await user.click(button);
  await waitFor(() => expect(notices).toHaveLength(1));
  await user.click(button);
  await waitFor(() => expect(notices).toHaveLength(2));
  expect(notices.map(({ kind }) => kind)).toEqual(['error', 'error']);
  expect(screen.getByRole('heading', { level: 1, name: /tanvir/ })).toBeVisible();
});
