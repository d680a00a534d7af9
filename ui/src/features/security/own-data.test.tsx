import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CloseBlockers, DataExport } from '@/api/contract';
import { transport } from '@/lib/api';
import { saveFile } from '@/lib/save-file';
import { apply } from '@/realtime/events';
import { queryClient } from '@/testing/query-client';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { unconfirmed, withFactor, wrong } from '@/testing/second-factor';
import { nusrat, server } from '@/testing/server';

const said = () => notices.map(({ kind, text }) => [kind, text]);
const HOUR = 3_600_000;
const hence = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();

const pending: DataExport = {
  ...{ _id: 'x-1', status: 'pending', requestedAt: hence(-1), readyAt: null, expiresAt: null, size: 0 },
};
const ready: DataExport = { ...pending, status: 'ready', readyAt: hence(-0.5), expiresAt: hence(160), size: 1_240_000 };

/** Opens the page with this latest copy. */
async function openData(latest: DataExport | null) {
  const { calls, answers } = withFactor();
  server.use(http.get('*/api/auth/data-export', () => HttpResponse.json({ export: latest })));
  const app = renderAt('/security');
  const section = within(await screen.findByRole('region', { name: 'Your data' }));
  const press = async (name: string) => app.user.click(await section.findByRole('button', { name }));
  return { ...app, section, calls, answers, press };
}

/** Enters the password. */
async function confirm(user: Awaited<ReturnType<typeof openData>>['user']) {
  const asked = within(await screen.findByRole('dialog', { name: 'Enter your password again' }));
  await user.type(asked.getByLabelText('Password'), 'secret-1');
  await user.click(asked.getByRole('button', { name: 'Confirm' }));
}

const confirmed = () => HttpResponse.json({ message: '', outcome: 'password_confirmed' });

describe('a copy of one’s data', () => {
  it('is asked for with the password, is being prepared, and is ready when its event comes', async () => {
    const { user, section, calls, answers, press } = await openData(null);
    answers('post', 'auth/data-export', unconfirmed);
    await press('Request a copy');
    await screen.findByRole('dialog', { name: 'Enter your password again' });
    answers('post', 'auth/confirm-password', confirmed);
    answers('post', 'auth/data-export', () =>
      HttpResponse.json(
        {
          message: 'We are preparing your data. We will email you when it is ready.',
          outcome: 'export_requested',
          export: pending,
        },
        { status: 202 },
      ),
    );
    await confirm(user);
    expect(await section.findByText('We are preparing your data')).toBeVisible();
    expect(section.queryByRole('button')).toBeNull();
    expect(calls.at(-1)).toBe('POST auth/data-export');
    expect(said()).toEqual([['success', 'We are preparing your data. We will email you when it is ready.']]);
    act(() =>
      apply(queryClient, {
        ...{ v: 1, id: 'f-1', seq: 7, type: 'dataExportReady', ts: hence(0) },
        data: { export: ready },
      }),
    );
    expect(await section.findByRole('button', { name: 'Download' })).toBeVisible();
    expect(section.getByText(/^1\.2 MB · available until/)).toBeVisible();
  });

  it('is ready also when its event comes before the answer', async () => {
    const { section, answers, press } = await openData(null);
    answers('post', 'auth/data-export', () => {
      apply(queryClient, { ...{ v: 1, id: 'f-1', seq: 7, type: 'dataExportReady', ts: hence(0) }, data: { export: ready } });
      return HttpResponse.json({ message: '', outcome: 'export_requested', export: pending }, { status: 202 });
    });
    await press('Request a copy');
    expect(await section.findByRole('button', { name: 'Download' })).toBeVisible();
    await waitFor(() => expect(said()).toHaveLength(1));
    expect(section.getByRole('button', { name: 'Download' })).toBeVisible();
  });

  it('is saved as a file once the password is confirmed', async () => {
    const { user, calls, answers, press } = await openData(ready);
    let refused = true;
    server.use(
      http.get('*/api/auth/data-export/x-1/file', () =>
        refused
          ? unconfirmed()
          : new HttpResponse('PK', {
              headers: {
                'Content-Type': 'application/zip',
                'Content-Disposition': 'attachment; filename="amanat-nusrat-2026-11-20.zip"',
              },
            }),
      ),
    );
    URL.createObjectURL = vi.fn(() => 'blob:copy');
    URL.revokeObjectURL = vi.fn();
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      saved.push(`${this.href} as ${this.download}`);
    });
    await press('Download');
    answers('post', 'auth/confirm-password', () => {
      refused = false;
      return confirmed();
    });
    await confirm(user);
    await waitFor(() => expect(saved).toEqual(['blob:copy as amanat-nusrat-2026-11-20.zip']));
    expect(calls).toEqual(['POST auth/confirm-password {"password":"secret-1"}']);
    vi.restoreAllMocks();
  });

  it('is there for a browser that reads the file late, and not for good', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
      vi.restoreAllMocks();
    });
    vi.spyOn(transport, 'fetch').mockResolvedValue(new Response('PK'));
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    URL.createObjectURL = vi.fn(() => 'blob:copy');
    const revoked = vi.fn();
    URL.revokeObjectURL = revoked;
    await saveFile('/auth/data-export/x-1/file');
    vi.advanceTimersByTime(10_000);
    expect(revoked).not.toHaveBeenCalled();
    vi.runAllTimers();
    expect(revoked).toHaveBeenCalledWith('blob:copy');
  });

  it('that is gone meanwhile says so, and is offered anew', async () => {
    const { section, press } = await openData(ready);
    server.use(
      http.get('*/api/auth/data-export/x-1/file', () =>
        HttpResponse.json({ code: 'not_found', message: 'Not found.' }, { status: 404 }),
      ),
    );
    await press('Download');
    expect(await section.findByText('This copy can no longer be downloaded. Please request a new one.')).toBeVisible();
    expect(section.getByRole('button', { name: 'Request a new copy' })).toBeVisible();
  });

  it('that has expired is not offered any more', async () => {
    const { section } = await openData({ ...ready, expiresAt: hence(-1) });
    expect(await section.findByText(/has expired/)).toBeVisible();
    expect(section.queryByRole('button', { name: 'Download' })).toBeNull();
    expect(section.getByRole('button', { name: 'Request a copy' })).toBeVisible();
  });

  it('that failed can be asked for again, and says why that is refused', async () => {
    const { section, answers, press } = await openData({ ...pending, status: 'failed' });
    answers('post', 'auth/data-export', () =>
      HttpResponse.json(
        { code: 'rate_limited', message: 'Too many requests.' },
        { status: 429, headers: { 'Retry-After': '7200' } },
      ),
    );
    await press('Try again');
    expect(await section.findByText('Too many requests.')).toBeVisible();
    expect(section.getByText('Try again in 2 hours.')).toBeVisible();
    expect(said()).toEqual([]);
  });

  it('says which terms were accepted when, and links them', async () => {
    const { section } = await openData(null);
    expect(section.getByRole('link', { name: 'Terms' })).toHaveAttribute('href', '/terms');
    expect(section.getByText(/version 2026-11-01, on 1 November 2026/)).toBeVisible();
  });
});

describe('closing the account', () => {
  const free: CloseBlockers = { blockers: [], openDeals: 0, pendingMoney: 0, balance: 0 };
  let closing: CloseBlockers;

  async function open() {
    const { calls, answers } = withFactor();
    server.use(http.get('*/api/auth/close', () => HttpResponse.json(closing)));
    const app = renderAt('/security');
    const section = within(await screen.findByRole('region', { name: 'Close account' }));
    const ask = async () => {
      await app.user.click(await section.findByRole('button', { name: 'Close my account' }));
      return within(await screen.findByRole('dialog', { name: 'Close your account for good?' }));
    };
    return { ...app, section, calls, answers, ask };
  }

  beforeEach(() => {
    closing = free;
  });

  it('says what has to be done first, and where', async () => {
    closing = { blockers: ['open_deals', 'pending_money', 'balance'], openDeals: 2, pendingMoney: 1, balance: 212.4 };
    const { section } = await open();
    expect(await section.findByText(/2 open deals\. Finish or cancel them\./)).toBeVisible();
    const links = section.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(links).toEqual(['/deal', '/balance', '/withdraw']);
    expect(section.getByText(/\$212\.40 in your balance\. Withdraw it\./)).toBeVisible();
    expect(section.queryByRole('button')).toBeNull();
  });

  it('leads to support where the balance is too small to withdraw', async () => {
    closing = { ...free, blockers: ['balance'], balance: 0.4 };
    const { section } = await open();
    expect(await section.findByRole('link', { name: 'Contact us' })).toHaveAttribute('href', '/contactus');
  });

  it('wants the username and leaves the page as nobody', async () => {
    const { user, router, calls, answers, ask } = await open();
    answers('post', 'auth/close', () =>
      HttpResponse.json({ message: 'Your account has been closed.', outcome: 'account_closed' }),
    );
    const dialog = await ask();
    await user.click(dialog.getByRole('button', { name: 'Close my account' }));
    expect(dialog.getByText('Please type your username to confirm.')).toBeVisible();
    expect(calls).toEqual([]);
    await user.type(dialog.getByLabelText('Type nusrat to confirm'), ' nusrat');
    server.use(http.get('*/api/auth/check', () => HttpResponse.json({ message: '', code: 'unauthenticated' }, { status: 401 })));
    await user.click(dialog.getByRole('button', { name: 'Close my account' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(await screen.findByText(/^Your account has been closed\. Thank you/)).toBeVisible();
    expect(calls).toEqual(['POST auth/close {"username":"nusrat"}']);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('that is refused says why and shows what came in between', async () => {
    const { user, section, answers, ask } = await open();
    answers('post', 'auth/close', () => {
      closing = { ...free, blockers: ['open_deals'], openDeals: 1 };
      return HttpResponse.json(
        {
          ...{ code: 'conflict', reason: 'close_open_deals' },
          message: 'You still have open deals. Finish or cancel them first.',
        },
        { status: 409 },
      );
    });
    const dialog = await ask();
    await user.type(dialog.getByLabelText('Type nusrat to confirm'), nusrat.username);
    await user.click(dialog.getByRole('button', { name: 'Close my account' }));
    expect(await dialog.findByText(/^You still have open deals/)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Keep it' }));
    expect(await section.findByText(/1 open deal\. Finish or cancel it\./)).toBeVisible();
  });

  it('shows at the field when the server has another name', async () => {
    const { user, answers, ask } = await open();
    answers('post', 'auth/close', () => wrong('username', 'close_name', 'Please type your username to confirm.'));
    const dialog = await ask();
    await user.type(dialog.getByLabelText('Type nusrat to confirm'), 'nusrat');
    await user.click(dialog.getByRole('button', { name: 'Close my account' }));
    expect(await dialog.findByText('Please type your username to confirm.')).toBeVisible();
  });
});
