import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LastSeen } from '@/entities/deal/last-seen';
import { setLanguage } from '@/i18n';
import { LAST_SEEN } from '@/lib/storage-owner';
import { formatTime } from '@/lib/time';
import { renderAlone } from '@/testing/render';
import { bn } from './bangla';
import { OfflinePage } from './offline-page';

const HOUR = 60 * 60 * 1_000;

/** Stores data of an hour ago. */
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
    for (const name of ['Add money', 'Withdraw']) {
      const button = screen.getByRole('button', { name });
      expect(button).toBeDisabled();
      expect(button).toHaveAccessibleDescription('Without internet you can’t add money, withdraw or pay, and nothing is sent.');
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
  const SECOND = 1_000;
  const reload = vi.fn();
  /** Called for each request to the site, which by default cannot be reached. */
  const request = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();
  const unreachable = () => Promise.reject(new TypeError('Failed to fetch'));
  const unanswered = (_: string, { signal }: RequestInit): Promise<Response> =>
    new Promise((_resolve, fail) => signal?.addEventListener('abort', () => fail(new Error('aborted'))));
  const answers = (status: number) => request.mockResolvedValue(new Response(null, { status }));
  const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

  beforeEach(() => {
    vi.useFakeTimers();
    reload.mockReset();
    request.mockReset().mockImplementation(unreachable);
    vi.stubGlobal('fetch', request);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  const hear = (event: string) => {
    window.dispatchEvent(new Event(event));
    return pass(0);
  };
  const setVisibility = (state: DocumentVisibilityState) => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
    document.dispatchEvent(new Event('visibilitychange'));
  };

  it('by itself, though no event of the browser was heard', async () => {
    renderAlone(<OfflinePage reload={reload} />);
    answers(200);
    await pass(SECOND - 1);
    expect(request).not.toHaveBeenCalled();
    await pass(1);
    expect(request.mock.calls[0]).toMatchObject([window.location.href, { method: 'HEAD', cache: 'no-store' }]);
    expect(reload).toHaveBeenCalledOnce();
  });

  it('when the browser has a network again that reaches the site, not before', async () => {
    renderAlone(<OfflinePage reload={reload} />);
    await hear('online');
    answers(502);
    await hear('online');
    expect(request).toHaveBeenCalledTimes(2);
    expect(reload).not.toHaveBeenCalled();
    answers(404);
    await hear('online');
    expect(reload).toHaveBeenCalledOnce();
  });

  it('when it becomes visible, and asks nobody until then', async () => {
    renderAlone(<OfflinePage reload={reload} />);
    answers(200);
    setVisibility('hidden');
    await pass(60 * SECOND);
    expect(request).not.toHaveBeenCalled();
    setVisibility('visible');
    await pass(0);
    expect(reload).toHaveBeenCalledOnce();
  });

  it('but another navigation is not cancelled by that, and is given time', async () => {
    renderAlone(<OfflinePage reload={reload} />);
    answers(200);
    await hear('beforeunload');
    await pass(30 * SECOND - 1);
    expect(request).not.toHaveBeenCalled();
    await pass(1);
    expect(reload).toHaveBeenCalledOnce();
  });

  it('and a request without an answer is given up, after ten seconds or for another', async () => {
    request.mockImplementation(unanswered);
    renderAlone(<OfflinePage reload={reload} />);
    const aborted = () => request.mock.calls.map(([, { signal }]) => signal?.aborted);
    await pass(SECOND + 10 * SECOND - 1);
    expect(aborted()).toEqual([false]);
    await pass(1);
    expect(aborted()).toEqual([true]);
    await pass(2 * SECOND);
    expect(aborted()).toEqual([true, false]);
    answers(200);
    await hear('online');
    expect(aborted()[1]).toBe(true);
    expect(reload).toHaveBeenCalledOnce();
  });

  it('and the site is asked less and less often, and no more once the page is gone', async () => {
    const { unmount } = renderAlone(<OfflinePage reload={reload} />);
    for (const [index, seconds] of [1, 2, 4, 8, 16, 30, 30].entries()) {
      await pass(seconds * SECOND - 1);
      expect(request).toHaveBeenCalledTimes(index);
      await pass(1);
      expect(request).toHaveBeenCalledTimes(index + 1);
    }
    request.mockImplementation(unanswered);
    await hear('online');
    unmount();
    await pass(0);
    expect(vi.getTimerCount()).toBe(0);
    expect(reload).not.toHaveBeenCalled();
  });
});
