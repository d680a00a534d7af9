import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { dealsAre } from '@/testing/deal-lists';
import { isWide } from '@/testing/deals';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { aDeal, nusrat, server, signedInAs } from '@/testing/server';

const logo = aDeal({ _id: 'd-logo', description: 'Logo', price: 65, fee: 1.3, payout: 63.7 });
const channel = aDeal({ _id: 'd-channel', description: 'Channel', status: 'Delivered', activatedAt: '2026-11-08T04:14:00Z' });
const phone = aDeal({ _id: 'd-phone', description: 'Phone', status: 'Cancelled by Seller', closedAt: '2026-11-09T04:14:00Z' });
const laptop = aDeal({ _id: 'd-laptop', description: 'Laptop', status: 'Cancelled', closedAt: '2026-11-09T04:14:00Z' });

beforeEach(() => {
  signedInAs(nusrat);
  isWide(true);
});

async function open(path: string) {
  const app = renderAt(path);
  await screen.findByRole('heading', { level: 1, name: 'Manage Deals' });
  return { ...app, tabs: await screen.findByRole('navigation', { name: 'Deals by status' }) };
}

describe('Manage Deals', () => {
  it('counts the tabs, keeps the tab in the address, and puts the three kinds of cancelled in one', async () => {
    dealsAre(logo, channel, phone, laptop);
    const { router, user, tabs } = await open('/deal');
    expect(
      within(tabs)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['Pending 1', 'Active 0', 'Late 0', 'Delivered 1', 'Completed 0', 'Cancelled 2']);
    expect(within(tabs).getByRole('link', { name: /Pending/ })).toHaveAttribute('aria-current', 'page');
    await user.click(within(tabs).getByRole('link', { name: /Cancelled/ }));
    await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'cancelled' }));
    const rows = within(await screen.findByRole('table', { name: 'Deals: Cancelled' })).getAllByRole('row');
    expect(rows.map((row) => row.textContent)).toEqual([
      'DealOutcomeClosedBuyerAmanatSeller',
      'Phonetanvir sells to youCancelled by Seller9 Nov, 10:14480.00$480.00',
      'Laptoptanvir sells to youCancelled9 Nov, 10:14480.00$480.00',
    ]);
  });

  it('marks the deals whose counter-offer waits for the reader', async () => {
    dealsAre(
      aDeal({ counterofferBy: 'u-tanvir', description: 'Logo' }),
      aDeal({ _id: 'd-2', counterofferBy: 'u-nusrat', description: 'Card' }),
    );
    await open('/deal');
    const next = async (name: RegExp) =>
      within(await screen.findByRole('row', { name }))
        .getAllByRole('cell')
        .at(1)?.textContent;
    expect(await next(/Logo/)).toBe('Answer the counter-offerCounter-offer');
    expect(await next(/Card/)).toBe('Waiting for tanvir to answer the counter-offer');
  });

  it('shows who, what next, the countdown, and the amount in the column of who has it', async () => {
    dealsAre(logo, channel);
    const { tabs, user } = await open('/deal?tab=delivered');
    const cells = (name: RegExp) =>
      within(screen.getByRole('row', { name }))
        .getAllByRole('cell')
        .map((cell) => cell.textContent);
    expect(cells(/Channel/).filter(Boolean)).toEqual([
      'Channeltanvir sells to you',
      'Check, then release',
      '22 Nov, 10:02',
      '480.00',
      '$480.00',
    ]);
    expect(cells(/Channel/)[4]).toBe('480.00');
    await user.click(within(tabs).getByRole('link', { name: /Pending/ }));
    expect(await screen.findByText(/^Due in \d+ days \d+ hours \d+ minutes$|^Due Now$/)).toBeVisible();
    expect(cells(/Logo/)[3]).toBe('65.00');
  });

  it('shows what is out of the ordinary, and what one can do then', async () => {
    const paid = { status: 'Late', activatedAt: '2026-11-08T04:14:00Z', exitAt: '2126-11-23T04:02:00Z' } as const;
    dealsAre(
      aDeal({ _id: 'd-asked', description: 'Asked', ...paid, cancellationRequested: true }),
      aDeal({ _id: 'd-frozen', description: 'Frozen', ...paid, frozen: true }),
      aDeal({
        ...{ _id: 'd-disputed', description: 'Disputed', ...paid, frozen: true },
        openDispute: { _id: 'x-1', buyerTurn: 'offer', sellerTurn: null },
      }),
      aDeal({ _id: 'd-admin', description: 'Decided', ...paid, exitAt: null, escalated: true }),
      aDeal({ _id: 'd-exit', description: 'Overdue', ...paid, exitAt: '2020-01-01T00:00:00Z' }),
    );
    await open('/deal?tab=late');
    const next = (name: RegExp) => within(screen.getByRole('row', { name })).getAllByRole('cell')[1]?.textContent;
    expect(next(/Asked/)).toBe('Waiting for tanvir to respondCancellation requested');
    expect(next(/Frozen/)).toBe('Amanat is reviewing itDeadlines paused');
    expect(next(/Disputed/)).toBe('Respond to the offered splitIn dispute');
    expect(next(/Decided/)).toBe('Amanat is reviewing itUnder review');
    expect(next(/Overdue/)).toBe('You can cancel for a full refund');
  });

  it('asks the seller for his answer', async () => {
    const paid = { status: 'Active', activatedAt: '2026-11-08T04:14:00Z' } as const;
    const { seller, buyer } = aDeal();
    dealsAre(aDeal({ ...paid, buyer: seller, seller: buyer, cancellationRequested: true }));
    await open('/deal?tab=active');
    expect(screen.getByText('Respond to the cancellation request')).toBeVisible();
  });

  it('looks again every minute, because time itself moves deals', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    dealsAre(logo);
    await open('/deal?tab=pending');
    dealsAre(channel);
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(await screen.findByText('No deals waiting for payment')).toBeVisible();
  });

  it('has a strip for each deal, which a phone shows in place of the columns', async () => {
    dealsAre(channel);
    await open('/deal?tab=delivered');
    expect(screen.getByRole('link', { name: /Channel.*tanvir sells to you/ })).toHaveAttribute('href', '/deal/d-channel');
    expect(screen.getByRole('img', { name: 'Amanat holds $480.00' })).toBeVisible();
  });

  it('shows twenty deals, goes on when asked, and adds up what it shows', async () => {
    dealsAre(...Array.from({ length: 45 }, (_, index) => aDeal({ _id: `d-${index}`, description: `Deal ${index}`, price: 1 })));
    const { tabs, user } = await open('/deal');
    expect(within(tabs).getByRole('link', { name: /Pending/ })).toHaveTextContent('Pending 45');
    const foot = () => screen.getAllByRole('row').at(-1)?.textContent;
    expect(screen.getAllByRole('row')).toHaveLength(22);
    expect(foot()).toBe('Total of the 20 deals shown, USD20.00');
    await user.click(screen.getByRole('button', { name: 'Show 20 more' }));
    await user.click(await screen.findByRole('button', { name: 'Show 5 more' }));
    await waitFor(() => expect(foot()).toBe('Total, USD45.00'));
    expect(screen.queryByRole('button', { name: /more/ })).toBeNull();
  });

  it('says what an empty tab is for and where there is something', async () => {
    dealsAre(channel);
    const { router, user } = await open('/deal?tab=late');
    expect(screen.getByText('No late deals')).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Go to Delivered (1)' }));
    await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'delivered' }));
  });

  it('leads to the first deal when there is none', async () => {
    const { user } = await open('/deal');
    expect(screen.getByText('No deals yet')).toBeVisible();
    const [, inside] = screen.getAllByRole('button', { name: 'Create Deal' });
    if (inside) await user.click(inside);
    expect(await screen.findByRole('dialog', { name: 'Create Deal' })).toBeVisible();
  });

  it('says that the deals could not be had, and offers another try', async () => {
    server.use(http.get('*/api/deals/my-deals', () => HttpResponse.json({ message: '', code: 'forbidden' }, { status: 403 })));
    renderAt('/deal');
    expect(await screen.findByRole('button', { name: 'Retry' })).toBeVisible();
    expect(notices.map(({ kind, text }) => [kind, text])).toEqual([['error', 'Failed to fetch deals']]);
  });

  it('tells the code for support when the server fails, until they are there', async () => {
    const failure = { message: 'Something went wrong', code: 'internal', reference: '7F3K-9Q2M' };
    server.use(http.get('*/api/deals/my-deals', () => HttpResponse.json(failure, { status: 500 })));
    const { user } = renderAt('/deal');
    expect(await screen.findByText(/Code for support: 7F3K-9Q2M/)).toBeVisible();
    dealsAre(logo);
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findAllByText('Logo')).not.toHaveLength(0);
    expect(screen.queryByText(/7F3K-9Q2M/)).toBeNull();
  });

  it('is found at /deals, too', async () => {
    const { router } = await open('/deals');
    expect(router.state.location.pathname).toBe('/deal');
  });
});
