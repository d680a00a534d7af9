import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderAt } from '@/testing/render';
import { anOpenDeal, dealQueues } from '../fixtures';

it('the single-letter keys can be switched off, which is remembered, and on again', async () => {
  dealQueues([anOpenDeal()]);
  const { user, router } = renderAt('/admin/deals');
  await screen.findByRole('table');
  await user.click(screen.getByRole('button', { name: 'Keyboard shortcuts' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
  expect(within(dialog.getByRole('region', { name: 'Withdrawals' })).getByText('send')).toBeVisible();
  const toggle = dialog.getByLabelText('Use single-letter keys');
  expect(toggle).toBeChecked();
  await user.click(toggle);
  expect(localStorage.getItem('admin-keys')).toBe('off');
  await user.keyboard('{Escape}j');
  expect(screen.queryByText('Keys:')).toBeNull();
  expect(router.state.location.search).toEqual({});

  await user.click(screen.getByRole('button', { name: 'Keyboard shortcuts' }));
  await user.click(await screen.findByLabelText('Use single-letter keys'));
  await user.keyboard('{Escape}j');
  await waitFor(() => expect(router.state.location.search).toEqual({ review: 'd-1' }));
  expect(screen.getByText('Keys:')).toBeInTheDocument();
  expect(localStorage.getItem('admin-keys')).toBeNull();
});

it('a key that is held down counts once', async () => {
  dealQueues([anOpenDeal()]);
  const { user, router } = renderAt('/admin/deals');
  await screen.findByRole('table');
  fireEvent.keyDown(document.body, { key: 'j', repeat: true });
  expect(router.state.location.search).toEqual({});
  await user.keyboard('j');
  await waitFor(() => expect(router.state.location.search).toEqual({ review: 'd-1' }));
});
