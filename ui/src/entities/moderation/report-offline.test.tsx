import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, it, vi } from 'vitest';
import { aProfile } from '@/testing/posts';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

// Gone since a deploy.
vi.mock('./report-dialog', () => {
  throw new Error('Failed to fetch dynamically imported module');
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
