import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { notices } from '@/testing/recorded';
import { LazyMenu, type MenuProps } from './lazy-menu';

const Menu = ({ trigger }: MenuProps) => <div role="menu">{trigger}</div>;

it('a menu that cannot be loaded leaves the page as it is, and the next press tries again', async () => {
  const user = userEvent.setup();
  const load = vi.fn<() => Promise<{ default: typeof Menu }>>().mockRejectedValue(new TypeError('Failed to fetch'));
  render(
    <LazyMenu load={load} ahead={false}>
      More
    </LazyMenu>,
  );
  await user.click(screen.getByRole('button', { name: 'More' }));
  await waitFor(() => expect(notices.map(({ text }) => text)).toEqual(['Something went wrong']));
  expect(screen.getByRole('button', { name: 'More' })).toHaveFocus();
  load.mockResolvedValue({ default: Menu });
  await user.click(screen.getByRole('button', { name: 'More' }));
  expect(await screen.findByRole('menu')).toBeVisible();
  expect(notices).toHaveLength(1);
});
