import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { deliverNotices, notify } from '@/lib/toast';
import { renderAt } from '@/testing/render';

let asked = 0;
vi.mock('@/features/shell/toaster/toaster', () => {
  asked += 1;
  throw new Error('Failed to fetch dynamically imported module');
});

it('a page without the code of its toasts is a page, and asks for it again when something is said', async () => {
  deliverNotices(() => undefined)(); // nobody shows notices
  renderAt('/login');
  expect(await screen.findByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
  await waitFor(() => expect(asked).toBe(1));
  notify.error('No');
  await waitFor(() => expect(asked).toBe(2));
  expect(screen.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
});
