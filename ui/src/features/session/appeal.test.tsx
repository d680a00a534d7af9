import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { setLanguage } from '@/i18n/language';
import { aDecision, onCall } from '@/testing/moderation';
import { alertSays, renderAt } from '@/testing/render';
import { server } from '@/testing/server';

const badToken = () =>
  HttpResponse.json(
    {
      code: 'invalid',
      reason: 'token_invalid',
      message: 'Invalid or expired token',
      fields: { token: 'Invalid or expired token' },
    },
    { status: 400 },
  );

describe('the link to appeal', () => {
  it('shows the decision and takes the appeal of whoever is not logged in', async () => {
    const opened = onCall('post', '/appeals/open', () => HttpResponse.json({ decision: aDecision() }));
    const appeal = { text: 'A joke.', createdAt: '2026-11-21T05:00:00Z', status: 'open' as const, answer: '', decidedAt: null };
    const sent = onCall('post', '/appeals', () =>
      HttpResponse.json(
        { message: 'Your appeal has been sent.', outcome: 'appeal_sent', decision: aDecision({ appeal, canAppeal: false }) },
        { status: 201 },
      ),
    );
    const { user, router } = renderAt('/appeal#token=fresh');
    expect(await screen.findByRole('heading', { name: 'Your account is suspended' })).toBeVisible();
    expect(router.state.location.hash).toBe('');
    await user.type(await screen.findByLabelText('Why is the decision wrong?'), 'A joke.');
    await user.click(screen.getByRole('button', { name: 'Send appeal' }));
    expect(await screen.findByText('Under review')).toBeVisible();
    expect(opened).toContainEqual({ token: 'fresh' });
    expect(sent).toEqual([{ token: 'fresh', text: 'A joke.' }]);
  });

  it('that is spent when the appeal is sent again asks whether it arrived', async () => {
    let online = false;
    onCall('post', '/appeals/open', () => (online ? HttpResponse.json({ decision: aDecision() }) : HttpResponse.error()));
    // The first appeal is stored, and its response lost.
    onCall('post', '/appeals', () => HttpResponse.error(), badToken);
    const { user } = renderAt('/appeal#token=fresh');
    const retry = await screen.findByRole('button', { name: 'Retry' });
    online = true;
    await user.click(retry);
    await user.type(await screen.findByLabelText('Why is the decision wrong?'), 'A joke.');
    await user.click(screen.getByRole('button', { name: 'Send appeal' }));
    expect(await screen.findByText('Check your connection and try again.')).toBeVisible();
    expect(screen.getByLabelText('Why is the decision wrong?')).toHaveValue('A joke.');
    await user.click(screen.getByRole('button', { name: 'Send appeal' }));
    expect(await screen.findByText(/Have you appealed already\? Then we answer by email\.$/)).toBeVisible();
    expect(screen.queryByText('Invalid or expired token')).toBeNull();
  });

  it('that is used or too old says so', async () => {
    onCall('post', '/appeals/open', badToken);
    renderAt('/appeal#token=spent');
    expect(await screen.findByText('This link does not work any more.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Write to us' })).toHaveAttribute('href', '/contactus');
  });

  it('without its token is incomplete', async () => {
    renderAt('/appeal');
    expect(await screen.findByText('The link is incomplete')).toBeVisible();
  });
});

describe('the login of a suspended account', () => {
  const refuse = (reason: string, message: string, params: object) =>
    server.use(
      http.post('*/api/auth/login', () => HttpResponse.json({ code: 'forbidden', reason, message, params }, { status: 403 })),
    );

  async function logIn(name = /^Login$/, labels = ['Username', 'Password']) {
    const { user } = renderAt('/login');
    await user.type(await screen.findByLabelText(labels[0] ?? ''), 'nusrat');
    await user.type(screen.getByLabelText(labels[1] ?? ''), 'amanat-demo');
    await user.click(screen.getByRole('button', { name }));
  }

  it('says until when and why, and that a link to appeal was emailed', async () => {
    refuse('login_suspended', 'Your account is suspended until 4 Dec 2026, 11:00: You spammed.', {
      until: '2026-12-04T05:00:00Z',
      reason: 'You spammed.',
    });
    await logIn();
    expect(await screen.findByText('Your account is suspended until 4 Dec 2026, 11:00: You spammed.')).toBeVisible();
    expect(screen.getByText('We emailed you a link to appeal.')).toBeVisible();
  });

  it('says nothing of an appeal where an account was only disabled: no link is mailed', async () => {
    refuse('login_disabled', 'This account has been disabled. Please contact support.', {});
    await logIn();
    await alertSays('This account has been disabled. Please contact support.');
    expect(screen.queryByText('Your account is suspended')).toBeNull();
    expect(screen.queryByText('We emailed you a link to appeal.')).toBeNull();
  });

  it('says it in Bangla with the words of the admin as they are', async () => {
    await setLanguage('bn');
    refuse('login_suspended', 'Your account is suspended until 4 Dec 2026, 11:00: 2 warnings.', {
      until: '2026-12-04T05:00:00Z',
      reason: '2 warnings.',
    });
    await logIn(/^লগ ইন$/, ['ইউজারনেম', 'পাসওয়ার্ড']);
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('2 warnings.'));
    expect(screen.getByRole('alert')).toHaveTextContent('৪ ডিসে');
  });
});
