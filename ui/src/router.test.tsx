import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

const logsIn = (user = nusrat) =>
  server.use(
    http.post('*/api/auth/login', () => {
      signedInAs(user);
      return HttpResponse.json(user);
    }),
  );

async function fillLogin(user: ReturnType<typeof renderAt>['user']) {
  await user.type(await screen.findByLabelText('Username'), 'nusrat');
  await user.type(screen.getByLabelText('Password'), 'secret-1');
  await user.click(screen.getByRole('button', { name: 'Login' }));
}

describe('a visitor', () => {
  it('sees the landing page', async () => {
    renderAt('/');
    expect(await screen.findByRole('heading', { level: 1, name: /Sell your YouTube channel/ })).toBeVisible();
    expect(await screen.findByText('$45,599')).toBeVisible();
    expect(screen.getByText('12,500')).toBeVisible();
  });

  it('is sent from an inner page to /login and comes back to the same address after it', async () => {
    const { router, user } = renderAt('/dashboard?from=2026-01-31#deals');
    await screen.findByRole('heading', { level: 1, name: 'Login' });
    expect(router.state.location.search).toEqual({ redirect: '/dashboard?from=2026-01-31#deals' });
    logsIn();
    await fillLogin(user);
    await screen.findByRole('heading', { level: 1, name: 'nusrat' });
    expect(router.state.location.href).toBe('/dashboard?from=2026-01-31#deals');
  });

  it.each(['//evil.example', '/admin/deposit'])('is not led to %s by a login', async (target) => {
    const { router, user } = renderAt(`/login?redirect=${encodeURIComponent(target)}`);
    logsIn();
    await fillLogin(user);
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
  });

  it('is sent from the admin area to /login', async () => {
    const { router } = renderAt('/admin');
    await screen.findByRole('heading', { level: 1, name: 'Login' });
    expect(router.state.location.pathname).toBe('/login');
  });

  it('keeps the code of a referral link and lands on the sign-up', async () => {
    const { router } = renderAt('/referral/FRIEND7');
    await screen.findByRole('heading', { level: 1, name: 'Create Account' });
    expect(router.state.location.pathname).toBe('/signup');
    expect(localStorage.getItem('referredBy')).toBe('FRIEND7');
  });

  it('meets a page of its own where there is none', async () => {
    renderAt('/no/such/page');
    expect(await screen.findByText('Page not found')).toBeVisible();
    expect(within(screen.getByRole('banner')).getByRole('link', { name: 'Join' })).toBeVisible();
  });
});

describe('a signed-in user', () => {
  it.each(['/', '/login', '/signup', '/referral/FRIEND7'])('is sent from %s to the dashboard', async (path) => {
    signedInAs(nusrat);
    const { router } = renderAt(path);
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    // Referral links are for people without an account.
    expect(localStorage.getItem('referredBy')).toBeNull();
  });

  it('is sent to the dashboard from /login even when it carries a redirect', async () => {
    signedInAs(nusrat);
    const { router } = renderAt('/login?redirect=%2Fbalance');
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
  });

  it('who is no admin does not enter the admin area', async () => {
    signedInAs(nusrat);
    const { router } = renderAt('/admin');
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
  });

  it('sees the banner while the email is not verified', async () => {
    signedInAs({ ...nusrat, isVerified: false });
    renderAt('/dashboard');
    expect(await screen.findByText('Please verify your email.')).toBeVisible();
  });

  it('logs out to /login', async () => {
    signedInAs(nusrat);
    server.use(http.post('*/api/auth/logout', () => HttpResponse.json({ message: 'Logout successfully!' })));
    const { router, user } = renderAt('/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Profile menu' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  });

  it('opens a menu by the keyboard before its code is there', async () => {
    signedInAs(nusrat);
    const { user } = renderAt('/dashboard');
    (await screen.findByRole('button', { name: 'Profile menu' })).focus();
    await user.keyboard('{ArrowDown}');
    expect(await screen.findByRole('menuitem', { name: 'Balance' })).toBeVisible();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Profile menu' })).toHaveFocus());
  });
});

describe('when the server cannot be asked', () => {
  it('nobody is signed out: the page says so and Retry asks again', async () => {
    server.use(http.get('*/api/auth/check', () => HttpResponse.json({ message: 'Down', code: 'unavailable' }, { status: 503 })));
    const { user } = renderAt('/dashboard');
    const retry = await screen.findByRole('button', { name: 'Retry' });
    signedInAs(nusrat);
    await user.click(retry);
    expect(await screen.findByRole('heading', { level: 1, name: 'nusrat' })).toBeVisible();
  }, 15_000);

  it('is asked again when the network is back', async () => {
    server.use(http.get('*/api/auth/check', () => HttpResponse.json({ message: 'Down', code: 'unavailable' }, { status: 503 })));
    renderAt('/dashboard');
    await screen.findByRole('button', { name: 'Retry' });
    signedInAs(nusrat);
    act(() => {
      window.dispatchEvent(new Event('online'));
    });
    expect(await screen.findByRole('heading', { level: 1, name: 'nusrat' })).toBeVisible();
  }, 15_000);
});
