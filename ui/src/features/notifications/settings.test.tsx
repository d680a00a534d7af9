import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { NotificationSettings } from '@/api/contract';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';
import { desk, phone, settings } from './fixtures';

const said = () => notices.map(({ kind, text }) => [kind, text]);

let saved: unknown[];

/** Serves the settings and applies changes. */
function serves(has: Partial<NotificationSettings> = {}) {
  server.use(
    http.get('*/api/notifications/settings', () => HttpResponse.json({ ...settings, ...has })),
    http.put('*/api/notifications/settings', async ({ request }) => {
      const body = (await request.json()) as Pick<NotificationSettings, 'details' | 'quiet'>;
      saved.push(body);
      return HttpResponse.json({ ...settings, ...has, ...body, groups: settings.groups, quiet: body.quiet ?? null });
    }),
  );
}

async function open(has?: Partial<NotificationSettings>) {
  signedInAs(nusrat);
  serves(has);
  const app = renderAt('/notifications');
  await screen.findByRole('heading', { level: 1, name: 'Settings' });
  await screen.findByRole('button', { name: 'Save' });
  return app;
}

const box = (name: string) => screen.getByRole('checkbox', { name });
const save = () => screen.getByRole('button', { name: 'Save' });
const groups = (over: Record<string, { mail?: boolean; push?: boolean }> = {}) =>
  settings.groups.map(({ group, mail, push }) => ({ group, mail, push, ...over[group] }));

beforeEach(() => {
  saved = [];
});

describe('what one hears of', () => {
  it('is chosen for each group and way', async () => {
    const { user } = await open();
    expect(box('Money: Email')).toBeChecked();
    await user.click(box('Money: Email'));
    await user.click(box('Messages: Push'));
    await user.click(save());
    await waitFor(() => expect(said()).toEqual([['success', 'Your choices are saved.']]));
    expect(saved).toEqual([{ groups: groups({ money: { mail: false }, messages: { push: false } }), details: false }]);
  });

  it('always has the emails about the account', async () => {
    const { user } = await open();
    const locked = box('Your account: Email');
    expect(locked).toBeChecked();
    expect(locked).toBeDisabled();
    await user.click(box('Your account: Push'));
    await user.click(save());
    await waitFor(() => expect(saved).toEqual([{ groups: groups({ account: { push: false } }), details: false }]));
  });

  it('stays chosen where it could not be saved', async () => {
    const { user } = await open();
    server.use(http.put('*/api/notifications/settings', () => HttpResponse.error()));
    await user.click(box('Deals: Push'));
    await user.click(box('Show amounts and messages in push notifications'));
    await user.click(save());
    await waitFor(() => expect(said()).toEqual([['error', 'Something went wrong']]));
    expect(box('Deals: Push')).not.toBeChecked();
    expect(box('Show amounts and messages in push notifications')).toBeChecked();
  });
});

describe('quiet hours', () => {
  it('are suggested, and saved', async () => {
    const { user } = await open();
    expect(screen.queryByLabelText('From')).toBeNull();
    await user.click(box('Quiet hours'));
    expect(screen.getByLabelText('From')).toHaveValue('22:00');
    await user.clear(screen.getByLabelText('Until'));
    await user.type(screen.getByLabelText('Until'), '06:30');
    await user.click(save());
    await waitFor(() => expect(saved).toEqual([{ groups: groups(), quiet: { from: '22:00', to: '06:30' }, details: false }]));
  });

  it('end when they are turned off', async () => {
    const { user } = await open({ quiet: { from: '23:00', to: '06:00' } });
    expect(screen.getByLabelText('From')).toHaveValue('23:00');
    await user.click(box('Quiet hours'));
    await user.click(save());
    await waitFor(() => expect(saved).toEqual([{ groups: groups(), details: false }]));
  });

  it('need two times that differ', async () => {
    const { user } = await open({ quiet: { from: '23:00', to: '06:00' } });
    await user.clear(screen.getByLabelText('From'));
    await user.click(save());
    await waitFor(() => expect(screen.getByLabelText('From')).toHaveAccessibleDescription('Enter a time.'));
    await user.type(screen.getByLabelText('From'), '06:00');
    await user.click(save());
    const text = 'The quiet hours must end at another time than they begin.';
    await waitFor(() => expect(screen.getByLabelText('Until')).toHaveAccessibleDescription(text));
    expect(saved).toEqual([]);
  });
});

describe('the devices', () => {
  const list = () => within(screen.getByRole('region', { name: 'Your devices' }));

  it('are named, with their times', async () => {
    await open({ devices: [desk, phone] });
    const [first, second] = list().getAllByRole('listitem');
    expect(first).toHaveTextContent('Chrome on WindowsThis deviceAdded 8 Nov, 10:02 · no notification yet');
    expect(second).toHaveTextContent('Chrome on AndroidAdded 7 Nov, 10:02 · last notification 8 Nov, 09:00');
  });

  it('are removed, also one that is gone already', async () => {
    const { user } = await open({ devices: [desk, phone] });
    server.use(
      http.delete(`*/api/push/subscriptions/${phone._id}`, () =>
        HttpResponse.json({ message: 'This browser gets no more notifications.', outcome: 'push_device_removed' }),
      ),
      http.delete(`*/api/push/subscriptions/${desk._id}`, () =>
        HttpResponse.json({ code: 'not_found', reason: 'push_device_not_found', message: 'Browser not found.' }, { status: 404 }),
      ),
    );
    await user.click(list().getByRole('button', { name: /^Remove: Chrome on Android/ }));
    await waitFor(() => expect(said()).toEqual([['success', 'That device gets no more push notifications.']]));
    expect(list().getAllByRole('listitem')).toHaveLength(1);
    await user.click(list().getByRole('button', { name: /^Remove: Chrome on Windows/ }));
    expect(await list().findByText('None of your devices gets push notifications yet.')).toBeVisible();
  });
});

describe('a page that could not be loaded', () => {
  it('is asked for again', async () => {
    signedInAs(nusrat);
    server.use(
      http.get('*/api/notifications/settings', () => HttpResponse.json({ code: 'invalid', message: '' }, { status: 400 })),
    );
    const { user } = renderAt('/notifications');
    expect(await screen.findByText('The settings could not be loaded.')).toBeVisible();
    serves();
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('button', { name: 'Save' })).toBeVisible();
  });
});

it('the site is installed by the offer of the browser, once', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  const prompt = vi.fn(() => Promise.resolve());
  window.installOffer = Object.assign(new Event('beforeinstallprompt'), { prompt });
  const { user } = await open();
  await user.click(screen.getByRole('button', { name: 'Install' }));
  expect(prompt).toHaveBeenCalledOnce();
  expect(screen.queryByRole('button', { name: 'Install' })).toBeNull();
});
