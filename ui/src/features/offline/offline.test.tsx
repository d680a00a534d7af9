import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LastSeen } from '@/entities/deal/last-seen';
import { setLanguage } from '@/i18n';
import { LAST_SEEN } from '@/lib/storage-owner';
import { formatTime } from '@/lib/time';
import { renderAlone } from '@/testing/render';
import { server } from '@/testing/server';
import { bn } from './bangla';
import { OfflinePage } from './offline-page';

const HOUR = 60 * 60 * 1_000;

/** What this device saw an hour ago. */
function seen(over: Partial<LastSeen> = {}): number {
  const at = Date.now() - HOUR;
  const row = { _id: 'd-1', title: 'Ranna Ghor 24', status: 'Active' as const, price: 48_000, other: 'tanvir' };
  const stored: LastSeen = {
    owner: 'u-nusrat',
    balance: { at, deviceAt: at, value: { own: 21_240, inEscrow: 48_000 } },
    deals: { at, deviceAt: at, value: { rows: [row], total: 3 } },
    ...over,
  };
  localStorage.setItem(LAST_SEEN, JSON.stringify(stored));
  return at;
}

/** A text of the page's build. */
const text = (catalogue: string, key: string) => bn[catalogue]?.[key] as string;

describe('without a network', () => {
  it('one sees what one saw last, and how old it is', () => {
    const at = seen();
    renderAlone(<OfflinePage />);
    expect(screen.getByText('This is what you saw last. It may have changed since.')).toBeVisible();
    const balance = within(screen.getByRole('region', { name: 'Balance' }));
    expect(balance.getByText('$212.40')).toBeVisible();
    expect(balance.getByText(`As of ${formatTime(at, 'moment')}`)).toBeVisible();
    const deals = within(screen.getByRole('region', { name: 'Open deals' }));
    expect(deals.getByRole('listitem')).toHaveTextContent('Ranna Ghor 24With tanvirActive$480.00');
    expect(deals.getByText('2 more deals')).toBeVisible();
    expect(deals.getByText(`As of ${formatTime(at, 'moment')}`)).toBeVisible();
  });

  it('no money can be moved, and the buttons say why', () => {
    seen();
    renderAlone(<OfflinePage />);
    for (const name of ['Deposit', 'Withdraw']) {
      const button = screen.getByRole('button', { name });
      expect(button).toBeDisabled();
      expect(button).toHaveAccessibleDescription('Without internet you can’t deposit, withdraw or pay, and nothing is sent.');
    }
  });

  it('there may be nothing to see', () => {
    renderAlone(<OfflinePage />);
    expect(screen.getByText('No balance and no deals are saved on this device.')).toBeVisible();
    expect(screen.queryByRole('region')).toBeNull();
  });

  it('the page is opened again when asked', async () => {
    const reload = vi.fn();
    const { user } = renderAlone(<OfflinePage reload={reload} />);
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(reload).toHaveBeenCalledOnce();
  });

  it('the page is in Bangla, too, with the texts that its build has', async () => {
    seen();
    await setLanguage('bn');
    const { container } = renderAlone(<OfflinePage />);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(text('offline', 'title'));
    expect(container).toHaveTextContent(text('khata', 'status.Active'));
    expect(screen.getByRole('button', { name: text('common', 'retry') })).toBeVisible();
  });
});

describe('the page is opened again', () => {
  const reload = vi.fn();
  /** How the site answers: a status, or null if it cannot be reached. */
  let answer: number | null;
  let asked: number;

  beforeEach(() => {
    vi.useFakeTimers();
    reload.mockReset();
    [answer, asked] = [null, 0];
    server.use(
      http.head('*', () => {
        asked += 1;
        return answer === null ? HttpResponse.error() : new HttpResponse(null, { status: answer });
      }),
    );
  });
  afterEach(() => vi.useRealTimers());

  const isAsked = (times: number) => vi.waitFor(() => expect(asked).toBe(times));
  const isOpened = () => vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
  const setVisibility = (state: DocumentVisibilityState) => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
    document.dispatchEvent(new Event('visibilitychange'));
  };

  it('by itself, though no event of the browser was heard', async () => {
    renderAlone(<OfflinePage reload={reload} />);
    answer = 200;
    await vi.advanceTimersByTimeAsync(1_000);
    await isOpened();
  });

  it('when the browser has a network again that reaches the site, not before', async () => {
    renderAlone(<OfflinePage reload={reload} />);
    window.dispatchEvent(new Event('online'));
    await isAsked(1);
    answer = 502;
    window.dispatchEvent(new Event('online'));
    await isAsked(2);
    answer = 404;
    window.dispatchEvent(new Event('online'));
    await isOpened();
    expect(asked).toBe(3);
  });

  it('when it is looked at again, and asks nobody until then', async () => {
    renderAlone(<OfflinePage reload={reload} />);
    answer = 200;
    setVisibility('hidden');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toBe(0);
    setVisibility('visible');
    await isOpened();
  });

  it('but another navigation is not cancelled by that, and is given time', async () => {
    renderAlone(<OfflinePage reload={reload} />);
    answer = 200;
    window.dispatchEvent(new Event('beforeunload'));
    await vi.advanceTimersByTimeAsync(29_000);
    expect(asked).toBe(0);
    await vi.advanceTimersByTimeAsync(1_000);
    await isOpened();
  });

  it('and the site is asked less and less often, and no more once the page is gone', async () => {
    const { unmount } = renderAlone(<OfflinePage reload={reload} />);
    for (const [index, delay] of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
      await vi.advanceTimersByTimeAsync(delay);
      await isAsked(index + 1);
      await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
    }
    unmount();
    expect(vi.getTimerCount()).toBe(0);
    expect(reload).not.toHaveBeenCalled();
  });
});
