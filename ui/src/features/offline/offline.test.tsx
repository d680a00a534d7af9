import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { LastSeen } from '@/entities/deal/last-seen';
import { setLanguage } from '@/i18n';
import { LAST_SEEN } from '@/lib/storage-owner';
import { formatTime } from '@/lib/time';
import { renderAlone } from '@/testing/render';
import { bn } from './bangla';
import { OfflinePage } from './offline-page';

const HOUR = 60 * 60 * 1_000;

/** What this device saw an hour ago. */
function seen(over: Partial<LastSeen> = {}): number {
  const at = Date.now() - HOUR;
  const row = { _id: 'd-1', title: 'Ranna Ghor 24', status: 'Active' as const, price: 48_000, other: 'tanvir' };
  const stored: LastSeen = {
    owner: 'u-nusrat',
    balance: { at, value: { own: 21_240, inEscrow: 48_000 } },
    deals: { at, value: { rows: [row], total: 3 } },
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

  it('the page is opened again when asked, and when there is one', async () => {
    const reload = vi.fn();
    const { user } = renderAlone(<OfflinePage reload={reload} />);
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(reload).toHaveBeenCalledOnce();
    window.dispatchEvent(new Event('online'));
    expect(reload).toHaveBeenCalledTimes(2);
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
