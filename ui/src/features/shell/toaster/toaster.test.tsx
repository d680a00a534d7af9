import { act, screen, waitFor } from '@testing-library/react';
import { toast } from 'sonner';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deliverNotices, notify } from '@/lib/toast';
import { renderAt } from '@/testing/render';

// Unlike elsewhere, toasts are rendered here.
vi.unmock('@/features/shell/toaster/toaster');
vi.mock('@/lib/toast', { spy: true });

const MESSAGE = { conversationId: 'c-1', name: 'tanvir', picture: '', text: 'I set a reminder.' };

/** Advances time and renders. */
const after = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

async function say(what: () => void): Promise<HTMLElement[]> {
  vi.useFakeTimers();
  act(what);
  await after(1);
  return screen.getAllByRole('listitem').filter((item) => item.hasAttribute('data-sonner-toast'));
}

beforeEach(async () => {
  vi.mocked(deliverNotices).mockClear();
  renderAt('/login');
  const place = await screen.findByRole('region', { name: /^Messages/ });
  expect(place).toHaveAttribute('aria-live', 'polite');
  // A notice waits until the toaster is mounted.
  await waitFor(() => expect(deliverNotices).toHaveBeenCalled());
});
afterEach(() => {
  vi.useRealTimers();
  toast.dismiss();
});

// docs/rules.md#toasts
describe('a toast', () => {
  it.each([
    ['a success', 2_000, 'center', 'success', () => notify.success('Deal created!')],
    ['an error', 4_000, 'center', 'error', () => notify.error('Unexpected error.')],
    ['anything else', 5_000, 'center', 'info', () => notify.info('You are online again.')],
    ['a new message', 4_000, 'right', null, () => notify.message(MESSAGE)],
  ] as const)('of %s is there for %i ms, at the top %s', async (_what, life, side, kind, what) => {
    const [shown] = await say(what);
    expect(shown).toHaveAttribute('data-y-position', 'top');
    expect(shown).toHaveAttribute('data-x-position', side);
    expect(shown?.querySelector('[data-kind]')?.getAttribute('data-kind') ?? null).toBe(kind);
    await after(life - 2);
    expect(shown).toHaveAttribute('data-removed', 'false');
    await after(1);
    expect(shown).toHaveAttribute('data-removed', 'true');
  });

  it('of a new message stands with the others in a narrow window, at the bottom', async () => {
    vi.stubGlobal('innerWidth', 360);
    const shown = await say(() => {
      notify.success('Deal created!');
      notify.message(MESSAGE);
    });
    expect(shown.map((item) => item.dataset.xPosition)).toEqual(['center', 'center']);
    expect(shown.map((item) => item.dataset.yPosition)).toEqual(['bottom', 'bottom']);
  });

  it('of a new message leads to its conversation', async () => {
    const [shown] = await say(() => notify.message(MESSAGE));
    expect(shown?.querySelector('a')).toHaveAttribute('href', '/inbox/c-1');
    expect(shown).toHaveTextContent('New message from tanvirI set a reminder.');
  });

  it('says under the text what to do', async () => {
    const [shown] = await say(() => notify.error('Failed to fetch deals', 'Check your connection and try again.'));
    expect(shown).toHaveTextContent('Failed to fetch dealsCheck your connection and try again.');
  });
});

it('what is said twice is shown once', async () => {
  const shown = await say(() => {
    notify.error('Invalid email');
    notify.error('Invalid email');
  });
  await after(50); // a frame
  expect(shown.map((item) => item.dataset.removed)).toEqual(['false', 'true']);
});

it('what is copied next replaces what was copied', async () => {
  const shown = await say(() => {
    notify.copied('Number copied');
    notify.copied('Amount copied');
  });
  await after(50); // a frame
  expect(shown.map((item) => [item.textContent, item.dataset.removed])).toEqual([
    ['Amount copied', 'false'],
    ['Number copied', 'true'],
  ]);
});

it('a success dismisses what was wrong with a form, and no other error', async () => {
  const [wrong] = await say(() => notify.invalid('Invalid email'));
  await say(() => notify.error('Failed to submit withdrawal'));
  await say(() => notify.success('Account created successfully!'));
  await after(50); // a frame
  expect(wrong).toHaveAttribute('data-removed', 'true');
  const failure = screen.getByText('Failed to submit withdrawal').closest('[data-sonner-toast]');
  expect(failure).toHaveAttribute('data-removed', 'false');
});

it('at most twenty are seen at once', async () => {
  const shown = await say(() => {
    for (let number = 1; number <= 21; number += 1) notify.error(`Number ${number}`);
  });
  expect(shown.filter((item) => item.dataset.visible === 'true')).toHaveLength(20);
});
