import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StrictMode, Suspense, useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { notices } from '@/testing/recorded';
import { LazyMenu, type MenuProps } from './lazy-menu';
import { lazyPart } from './lazy-part';

type Props = { name: string; onClose: () => void };
const Part = ({ name }: Props) => <p>Here is {name}</p>;
const load = vi.fn<() => Promise<{ default: typeof Part }>>();

beforeEach(() => {
  load.mockReset().mockRejectedValue(new TypeError('Failed to fetch'));
  vi.spyOn(console, 'error').mockImplementation(() => undefined); // React logs caught errors
});

function renderPage(takeBack?: (props: Props) => void) {
  const Late = lazyPart(load, takeBack);
  function Page() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <h1>Balance</h1>
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
        <Suspense>{open ? <Late name="Rina" onClose={() => setOpen(false)} /> : null}</Suspense>
      </>
    );
  }
  render(<Page />, { wrapper: StrictMode });
  return userEvent.click(screen.getByRole('button', { name: 'Open' }));
}

it('a part that cannot be loaded leaves the page, and Retry loads it', async () => {
  await renderPage();
  expect(await screen.findByRole('alert')).toHaveTextContent('Something went wrong');
  expect(screen.getByRole('heading', { name: 'Balance' })).toBeVisible();
  load.mockResolvedValue({ default: Part });
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Here is Rina')).toBeVisible();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it('a network that is back loads it', async () => {
  await renderPage();
  await screen.findByRole('alert');
  load.mockResolvedValue({ default: Part });
  window.dispatchEvent(new Event('online'));
  expect(await screen.findByText('Here is Rina')).toBeVisible();
});

it('a part that is gone is not tried again for ever: the reader may reload the page', async () => {
  await renderPage();
  await userEvent.click(await screen.findByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('button', { name: 'Reload the page' })).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Balance' })).toBeVisible();
});

it('a part that a press opens is taken back, and the next press tries again', async () => {
  await renderPage(({ onClose }) => onClose());
  await vi.waitFor(() => expect(notices.map(({ text }) => text)).toEqual(['Something went wrong']));
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  load.mockResolvedValue({ default: Part });
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  expect(await screen.findByText('Here is Rina')).toBeVisible();
  expect(notices).toHaveLength(1);
});

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
