import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, nusratsAccount, server, signedInAs } from '@/testing/server';

const LINK = `${window.location.origin}/referral/k7q2`;
const figure = (name: string) => screen.getByText(name).nextElementSibling;

function brought(totalReferred: number, referralEarnings: number) {
  server.use(http.get('*/api/deals/refer/stats', () => HttpResponse.json({ totalReferred, referralEarnings })));
}

beforeEach(() => {
  signedInAs(nusrat);
  server.use(http.get('*/api/auth/me', () => HttpResponse.json(nusratsAccount)));
  brought(3, 12.5);
});

afterEach(() => {
  Reflect.deleteProperty(navigator, 'share');
});

describe('the page of referrals', () => {
  it('is reached from the profile menu and shows the link and what it has brought', async () => {
    const { user, router } = renderAt('/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Profile menu' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Refer a friend' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Refer a friend' })).toBeVisible();
    expect(router.state.location.pathname).toBe('/refer');
    expect(await screen.findByText(LINK)).toBeVisible();
    await waitFor(() => expect(figure('Friends who joined')).toHaveTextContent('3'));
    expect(figure('Earned')).toHaveTextContent('$12.50');
    expect(screen.getByText(/on a \$500 deal you earn \$5\.00; it costs your friend nothing/)).toBeVisible();
    expect(screen.queryByText('Nobody has joined with your link yet.')).toBeNull();
  });

  it('copies the link', async () => {
    const { user } = renderAt('/refer');
    const button = await screen.findByRole('button', { name: /^Copy link/ });
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await user.click(button);
    expect(writeText).toHaveBeenCalledWith(LINK);
    expect(notices).toEqual([{ kind: 'success', text: 'Referral link copied', copy: true }]);
  });

  it('says what to do while nobody has come', async () => {
    brought(0, 0);
    renderAt('/refer');
    expect(await screen.findByText('Nobody has joined with your link yet.')).toBeVisible();
    expect(figure('Earned')).toHaveTextContent('$0.00');
  });

  it('shares with what the phone offers, and takes no closed sheet for a failure', async () => {
    const share = vi.fn<Navigator['share']>().mockRejectedValueOnce(new DOMException('', 'AbortError'));
    Object.defineProperty(navigator, 'share', { value: share, configurable: true });
    const { user } = renderAt('/refer');
    await user.click(await screen.findByRole('button', { name: 'Share' }));
    const button = await screen.findByRole('button', { name: 'Other apps' });
    await user.click(button);
    expect(share).toHaveBeenCalledWith(expect.objectContaining({ url: LINK }));
    expect(notices).toEqual([]);
    share.mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));
    await user.click(button);
    await waitFor(() => expect(notices).toEqual([{ kind: 'error', text: 'Could not share. Copy the link instead.' }]));
  });

  it('stays of use when the figures fail, without a toast, and loads them again', async () => {
    server.use(http.get('*/api/deals/refer/stats', () => HttpResponse.json({ code: 'conflict', message: '' }, { status: 409 })));
    const { user } = renderAt('/refer');
    expect(await screen.findByText('Your results could not be loaded.')).toBeVisible();
    expect(await screen.findByText(LINK)).toBeVisible();
    expect(notices).toEqual([]);
    brought(1, 0);
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(figure('Friends who joined')).toHaveTextContent('1'));
  });
});
