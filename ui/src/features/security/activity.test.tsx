import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Activity } from '@/api/contract';
import { setLanguage } from '@/i18n';
import { renderAt } from '@/testing/render';
import { nusrat, nusratsAccount, server, signedInAs } from '@/testing/server';

const PHONE = 'Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36';
const KINDS = [
  'login_failed',
  'login',
  'password_changed',
  'email_verified',
  'app_added',
  'codes_made',
  'account_opened',
] as const;

const events: Activity[] = KINDS.map((kind, place) => ({
  ...{ _id: `e-${place}`, kind, address: '203.0.113.7', userAgent: place === 0 ? 'curl/8' : PHONE },
  at: `2026-11-08T04:0${9 - place}:00Z`,
}));

const answers = (answer: () => Response) => server.use(http.get('*/api/auth/activity', answer));

async function open(name = 'Recent activity') {
  signedInAs(nusrat);
  const app = renderAt('/security');
  return { ...app, section: within(await screen.findByRole('region', { name })) };
}

beforeEach(() =>
  server.use(
    http.get('*/api/auth/me', () => HttpResponse.json(nusratsAccount)),
    http.get('*/api/auth/sessions', () => HttpResponse.json([])),
    http.get('*/api/auth/second-factor', () =>
      HttpResponse.json({ totp: false, passkeys: [], backupCodesLeft: 0, required: false }),
    ),
  ),
);

describe('recent activity', () => {
  it('says what happened, when and from where, and more on demand', async () => {
    answers(() => HttpResponse.json(events));
    const { user, section } = await open();
    const lines = await section.findAllByRole('listitem');
    expect(lines.map((line) => line.textContent)).toEqual([
      'Login with a wrong password8 Nov, 10:09 · Unknown browser · 203.0.113.7',
      'Logged in8 Nov, 10:08 · Chrome on Android · 203.0.113.7',
      'Password changed8 Nov, 10:07 · Chrome on Android · 203.0.113.7',
      'Email verified8 Nov, 10:06 · Chrome on Android · 203.0.113.7',
      'Authenticator app set up8 Nov, 10:05 · Chrome on Android · 203.0.113.7',
      'New backup codes made8 Nov, 10:04 · Chrome on Android · 203.0.113.7',
    ]);
    await user.click(section.getByRole('button', { name: 'Show 1 more' }));
    expect(section.getByText('Account created')).toBeVisible();
    expect(section.queryByRole('button')).not.toBeInTheDocument();
  });

  it('is in Bangla', async () => {
    answers(() => HttpResponse.json(events.slice(0, 1)));
    await setLanguage('bn');
    const { section } = await open('সাম্প্রতিক কার্যকলাপ');
    expect(await section.findByText('ভুল পাসওয়ার্ডে লগ ইনের চেষ্টা')).toBeVisible();
  });

  it('that cannot be loaded says so, and comes with Retry', async () => {
    answers(() => HttpResponse.json({ message: '', code: 'internal' }, { status: 400 }));
    const { user, section } = await open();
    expect(await section.findByText('The list could not be loaded.')).toBeVisible();
    answers(() => HttpResponse.json(events));
    await user.click(section.getByRole('button', { name: 'Retry' }));
    expect(await section.findByText('Logged in')).toBeVisible();
  });
});
