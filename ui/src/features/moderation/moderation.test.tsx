import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Decision, Report } from '@/api/contract';
import { aDecision, aReport, onCall, unblockedAnswer } from '@/testing/moderation';
import { tanvirParty } from '@/testing/posts';
import { renderAt } from '@/testing/render';
import { nusrat, nusratsAccount, server, signedInAs } from '@/testing/server';

beforeEach(() => {
  signedInAs(nusrat);
  server.use(http.get('*/api/auth/me', () => HttpResponse.json(nusratsAccount)));
});

describe('one’s reports', () => {
  const serve = (reports: Report[]) =>
    server.use(
      http.get('*/api/reports/mine', () => HttpResponse.json(reports, { headers: { 'X-Total-Count': String(reports.length) } })),
    );

  it('say what was reported, why, and what came of it in words', async () => {
    serve([
      aReport({ text: 'Asked me twice.' }),
      aReport({
        _id: 'rep-2',
        subject: 'post',
        subjectName: 'Cooking channel',
        reason: 'scam',
        status: 'decided',
        outcome: 'action_taken',
        decidedAt: '2026-11-21T05:00:00Z',
      }),
      aReport({
        _id: 'rep-3',
        subject: 'user',
        reason: 'spam',
        status: 'decided',
        outcome: 'no_violation',
        decidedAt: '2026-11-21T05:00:00Z',
      }),
    ]);
    renderAt('/reports');
    const [open, acted, none] = (await screen.findAllByRole('listitem')).slice(-3).map((row) => within(row));
    expect(open?.getByText('Message by tanvir')).toBeVisible();
    expect(open?.getByText('Wants to be paid outside Amanat')).toBeVisible();
    expect(open?.getByText('Asked me twice.')).toBeVisible();
    expect(open?.getByText('Being reviewed')).toBeVisible();
    expect(acted?.getByText('Cooking channel')).toBeVisible();
    expect(acted?.getByText('We took action')).toBeVisible();
    expect(none?.getByText('We looked at it and found that it does not break our rules.')).toBeVisible();
  });

  it('are none at first', async () => {
    serve([]);
    renderAt('/reports');
    expect(await screen.findByText('You have not reported anything')).toBeVisible();
  });

  it('are asked for again after a failure', async () => {
    server.use(http.get('*/api/reports/mine', () => HttpResponse.json({ code: 'forbidden', message: '' }, { status: 403 })));
    const { user } = renderAt('/reports');
    expect(await screen.findByText('Your reports could not be loaded.')).toBeVisible();
    serve([aReport()]);
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Being reviewed')).toBeVisible();
  });
});

describe('a decision', () => {
  async function open(over: Partial<Decision> = {}) {
    server.use(http.get('*/api/decisions/dec-1', () => HttpResponse.json(aDecision(over))));
    const app = renderAt('/decisions/dec-1');
    await screen.findByText('You asked a buyer to pay outside Amanat.');
    return app;
  }

  it('says what, about what, why and until when', async () => {
    await open();
    expect(screen.getByRole('heading', { level: 1, name: 'Your account is suspended' })).toBeVisible();
    expect(screen.getByText('You asked a buyer to pay outside Amanat.')).toBeVisible();
    expect(screen.getByText('Pay me by bKash, no deal needed.')).toBeVisible();
    expect(screen.getByText(/^4 Dec.*, 11:00$/)).toBeVisible();
  });

  it('about a post leads to it', async () => {
    await open({ action: 'hide', subject: 'post', subjectId: 'p-1', subjectName: 'Cooking channel', until: null });
    expect(screen.getByRole('heading', { level: 1, name: 'Your post was hidden' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open the post' })).toHaveAttribute('href', '/posts/p-1');
  });

  it('is appealed against once, and what was typed stays through a failure', async () => {
    const appeal = {
      text: 'It was a joke.',
      createdAt: '2026-11-21T05:00:00Z',
      status: 'open' as const,
      answer: '',
      decidedAt: null,
    };
    const decision = aDecision({ appeal, canAppeal: false });
    const calls = onCall(
      'post',
      '/decisions/dec-1/appeal',
      () => HttpResponse.json({ code: 'internal', message: '' }, { status: 500 }),
      () => HttpResponse.json({ message: 'Your appeal has been sent.', outcome: 'appeal_sent', decision }, { status: 201 }),
    );
    const { user } = await open();
    const field = await screen.findByLabelText('Why is the decision wrong?');
    await user.click(screen.getByRole('button', { name: 'Send appeal' }));
    expect(await screen.findByText('Please write why the decision is wrong.')).toBeVisible();
    expect(field).toHaveFocus();
    await user.type(field, 'It was a joke.');
    await user.click(screen.getByRole('button', { name: 'Send appeal' }));
    expect(await screen.findByText('The appeal could not be sent.')).toBeVisible();
    expect(field).toHaveValue('It was a joke.');
    server.use(http.get('*/api/decisions/dec-1', () => HttpResponse.json(decision)));
    await user.click(screen.getByRole('button', { name: 'Send appeal' }));
    expect(await screen.findByText('Under review')).toHaveFocus();
    expect(screen.queryByRole('button', { name: 'Send appeal' })).toBeNull();
    expect(calls).toEqual([{ text: 'It was a joke.' }, { text: 'It was a joke.' }]);
  });

  it('keeps an appeal that was not sent', async () => {
    server.use(http.get('*/api/reports/mine', () => HttpResponse.json([])));
    const { user, router } = await open();
    await user.type(await screen.findByLabelText('Why is the decision wrong?'), 'It was a joke.');
    await act(() => router.navigate({ to: '/reports' }));
    await screen.findByRole('heading', { level: 1, name: 'Your reports' });
    await act(() => router.navigate({ to: '/decisions/$id', params: { id: 'dec-1' } }));
    expect(await screen.findByLabelText('Why is the decision wrong?')).toHaveValue('It was a joke.');
  });

  it('takes no focus for an appeal that was sent before', async () => {
    const appeal = { text: 'A joke.', createdAt: '2026-11-21T05:00:00Z', status: 'open' as const, answer: '', decidedAt: null };
    await open({ appeal, canAppeal: false });
    expect(await screen.findByText('Under review')).not.toHaveFocus();
  });

  it('that was overturned says so first', async () => {
    await open({
      canAppeal: false,
      appeal: {
        text: 'A joke.',
        createdAt: '2026-11-21T05:00:00Z',
        status: 'overturned',
        answer: 'We are sorry.',
        decidedAt: '2026-11-22T05:00:00Z',
      },
    });
    expect(await screen.findByText('This decision was overturned. It has no effect any more.')).toBeVisible();
    expect(screen.getByText('We are sorry.')).toBeVisible();
  });

  it('of long ago cannot be appealed against', async () => {
    await open({ canAppeal: false });
    expect(screen.getByText(/^The time for an appeal ended on 4 Dec.*, 11:00\.$/)).toBeVisible();
  });

  it('about somebody else is not found', async () => {
    server.use(http.get('*/api/decisions/dec-1', () => HttpResponse.json({ code: 'not_found', message: '' }, { status: 404 })));
    renderAt('/decisions/dec-1');
    expect(await screen.findByRole('heading', { name: 'Decision not found' })).toBeVisible();
  });
});

describe('blocked people', () => {
  it('who have closed the account have no profile to go to', async () => {
    const gone = { ...tanvirParty, username: 'deleted-4f7k2m9q', closed: true };
    server.use(
      http.get('*/api/users/blocked', () =>
        HttpResponse.json([{ user: gone, blockedAt: '2026-11-20T05:00:00Z' }], { headers: { 'X-Total-Count': '1' } }),
      ),
    );
    renderAt('/profile');
    expect(await screen.findByText('deleted-4f7k2m9q')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'deleted-4f7k2m9q' })).toBeNull();
  });

  it('are listed in the settings, each with the way back', async () => {
    let rows = [{ user: tanvirParty, blockedAt: '2026-11-20T05:00:00Z' }];
    server.use(
      http.get('*/api/users/blocked', () => HttpResponse.json(rows, { headers: { 'X-Total-Count': String(rows.length) } })),
    );
    const calls = onCall('delete', '/users/u-tanvir/block', () => {
      rows = [];
      return unblockedAnswer();
    });
    const { user } = renderAt('/profile');
    const section = within(await screen.findByRole('region', { name: /^Blocked people/ }));
    await user.click(await section.findByRole('button', { name: 'Unblock tanvir' }));
    expect(await section.findByText('You have not blocked anyone.')).toBeVisible();
    await waitFor(() => expect(calls).toHaveLength(1));
    await waitFor(() => expect(section.getByText('Blocked people')).toHaveFocus());
  });
});
