import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { BugReport, ContactMessage } from '@/api/contract';
import { renderAt } from '@/testing/render';
import { server } from '@/testing/server';
import { bareList, queues } from '../fixtures';

const aBug = (over: Partial<BugReport> = {}): BugReport => ({
  _id: 'bug-1',
  subject: 'No picture',
  description: 'The page stays white.\nOn my phone.',
  reportedBy: 'nusrat',
  name: 'nusrat',
  email: 'nusrat@example.com',
  createdAt: '2026-11-20T04:00:00Z',
  ...over,
});
const aMessage: ContactMessage = {
  _id: 'msg-1',
  name: 'Anika Rahman',
  email: 'anika@example.com',
  message: 'How long does it take?',
  sentBy: '',
  createdAt: '2026-11-20T05:00:00Z',
};

const list = (path: string, rows: readonly object[]) =>
  server.use(http.get(`*/api/admin/${path}`, ({ request }) => bareList(rows, request)));

beforeEach(() => {
  queues();
});

describe('the bug reports', () => {
  it('are reached from the menu and listed with who wrote them', async () => {
    list('bug-reports', [aBug(), aBug({ _id: 'bug-2', reportedBy: '', name: '', email: '', subject: 'Slow' })]);
    const { router, user } = renderAt('/admin/deposit');
    await user.click(await screen.findByRole('link', { name: 'Bug reports' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/admin/bug-reports'));
    const rows = within(await screen.findByRole('table', { name: 'Bug reports' })).getAllByRole('row');
    expect(rows[1]).toHaveTextContent('nusrat');
    expect(rows[1]).toHaveTextContent('No picture');
    expect(rows[2]).toHaveTextContent('A visitor');
    expect(rows[2]).toHaveTextContent('not logged in');
  });

  it('open with all of their words and the way to answer', async () => {
    list('bug-reports', [aBug(), aBug({ _id: 'bug-2', reportedBy: '', name: '', email: '', subject: 'Slow' })]);
    const { user } = renderAt('/admin/bug-reports?review=bug-1');
    const drawer = within(await screen.findByRole('dialog', { name: 'No picture' }));
    expect(drawer.getByText(/^The page stays white/)).toBeVisible();
    expect(drawer.getByRole('link', { name: 'Reply by email' })).toHaveAttribute(
      'href',
      'mailto:nusrat%40example.com?subject=Re%3A%20No%20picture',
    );
    await user.click(drawer.getByRole('button', { name: 'Next one' }));
    const next = within(await screen.findByRole('dialog', { name: 'Slow' }));
    expect(next.queryByRole('link', { name: 'Reply by email' })).toBeNull();
  });

  it('come in pages', async () => {
    list(
      'bug-reports',
      Array.from({ length: 11 }, (_, index) => aBug({ _id: `bug-${index}`, subject: `Number ${index}` })),
    );
    const { user } = renderAt('/admin/bug-reports');
    expect(await screen.findByText('Page 1 of 2')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByText('Number 10')).toBeVisible();
  });

  it('say so when they cannot be loaded, and are asked for again', async () => {
    server.use(http.get('*/api/admin/bug-reports', () => HttpResponse.json({ code: 'conflict', message: '' }, { status: 409 })));
    const { user } = renderAt('/admin/bug-reports');
    expect(await screen.findByText('Failed to fetch bug reports.')).toBeVisible();
    list('bug-reports', [aBug()]);
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('table')).toBeVisible();
  });
});

describe('the contact messages', () => {
  it('are listed and open', async () => {
    list('contact-messages', [aMessage]);
    const { user } = renderAt('/admin/contact-messages');
    await user.click(await screen.findByRole('link', { name: 'Anika Rahman' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'Message of Anika Rahman' }));
    expect(drawer.getByText('How long does it take?')).toBeVisible();
    expect(drawer.getByText('anika@example.com')).toBeVisible();
  });

  it('say so when there are none', async () => {
    list('contact-messages', []);
    renderAt('/admin/contact-messages');
    expect(await screen.findByText('No contact messages found.')).toBeVisible();
  });
});
