import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { User } from '@/api/contract';
import * as pictures from '@/lib/pictures';
import { addDays, dhakaDay, formatTime } from '@/lib/time';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

const WEBP = 'data:image/webp;base64,AAAA';
const said = () => notices.map(({ kind, text }) => [kind, text]);

let calls: [string, unknown][];

/** Answers a call and records its requests. */
function takes(method: 'put', path: string, answer: () => Response) {
  server.use(
    http[method](`*/api/auth/${path}`, async ({ request }) => {
      calls.push([new URL(request.url).pathname, await request.json()]);
      return answer();
    }),
  );
}

async function open(user: User = nusrat) {
  signedInAs(user);
  const app = renderAt('/profile');
  await screen.findByRole('heading', { level: 1, name: 'Settings' });
  return app;
}

beforeEach(() => {
  calls = [];
});

describe('the account', () => {
  it('is shown read-only, the password masked', async () => {
    await open();
    for (const [name, value] of [
      ['Username', 'nusrat'],
      ['Email', 'nusrat@example.com'],
      ['Password', '••••••••'],
    ] as const) {
      expect(screen.getByLabelText(name)).toHaveValue(value);
      expect(screen.getByLabelText(name)).toHaveAttribute('readonly');
    }
    expect(screen.getByRole('link', { name: 'See how others see you' })).toHaveAttribute('href', '/profile/nusrat');
  });
});

describe('the picture', () => {
  it('is made small, sent as data, and shown everywhere', async () => {
    const downscale = vi.spyOn(pictures, 'downscale').mockResolvedValue(WEBP);
    takes('put', 'update-profile', () => HttpResponse.json({ ...nusrat, profilePic: '/api/images/i-1' }));
    const { user } = await open();
    await user.upload(screen.getByLabelText('Choose a picture'), new File(['raw'], 'a.jpg', { type: 'image/jpeg' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Profile updated successfully!']]));
    expect(downscale).toHaveBeenCalledWith(expect.any(File), { max: 512 });
    expect(calls).toEqual([['/api/auth/update-profile', { profilePic: WEBP }]]);
    const header = within(screen.getByRole('banner'));
    expect(header.getByRole('button', { name: 'Profile menu' }).querySelector('img')).toHaveAttribute(
      'src',
      '/api/images/i-1?w=96',
    );
  });

  it('can be removed', async () => {
    takes('put', 'update-profile', () => HttpResponse.json(nusrat));
    const { user } = await open({ ...nusrat, profilePic: '/api/images/i-1' });
    await user.click(screen.getByRole('button', { name: 'Remove the picture' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove the picture' })).toBeNull());
    expect(calls).toEqual([['/api/auth/update-profile', { profilePic: '' }]]);
  });
});

describe('the settings', () => {
  it('have security and notifications beside the profile', async () => {
    const { user } = await open();
    const part = (name: string) => within(screen.getByRole('navigation', { name: 'Settings' })).getByRole('link', { name });
    expect(part('Profile')).toHaveAttribute('aria-current', 'page');
    for (const name of ['Security', 'Notifications']) {
      await user.click(part(name));
      await waitFor(() => expect(document.title).toBe(`${name} | Amanat`));
      expect(screen.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
      expect(part(name)).toHaveAttribute('aria-current', 'page');
    }
  });

  it('change the language of the pages and the mails', async () => {
    takes('put', 'language', () => HttpResponse.json({ ...nusrat, language: 'bn' }));
    const { user } = await open();
    await user.click(screen.getByRole('radio', { name: 'বাংলা' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'সেটিংস' })).toBeVisible();
    await waitFor(() => expect(calls).toEqual([['/api/auth/language', { language: 'bn' }]]));
  });

  it('say until when one is away, within 60 days, until one is back', async () => {
    const [today, last] = [dhakaDay(Date.now()), addDays(dhakaDay(Date.now()), 60)];
    takes('put', 'away', () => HttpResponse.json({ ...nusrat, ...(calls.length === 1 ? { awayUntil: last } : {}) }));
    const { user } = await open({ ...nusrat, awayUntil: addDays(today, -1) }); // which has passed
    const setting = within(screen.getByRole('region', { name: 'Away' }));
    const day = setting.getByLabelText('Away until');
    fireEvent.change(day, { target: { value: addDays(last, 1) } });
    await user.click(setting.getByRole('button', { name: 'Save' }));
    expect(setting.getByText('Choose a day from today to 60 days ahead.')).toBeVisible();
    expect(day).toHaveFocus();
    fireEvent.change(day, { target: { value: last } });
    await user.click(setting.getByRole('button', { name: 'Save' }));
    expect(await setting.findByText(`Away until ${formatTime(last, 'day')}`)).toBeVisible();
    await user.click(setting.getByRole('button', { name: 'I’m back' }));
    expect(await setting.findByLabelText('Away until')).toHaveValue('');
    expect(calls).toEqual([last, ''].map((until) => ['/api/auth/away', { until }]));
  });
});
