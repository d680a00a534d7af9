import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AdminCase, AdminCaseDetail } from '@/api/contract';
import { aMessage } from '@/testing/chat';
import { queryClient } from '@/testing/query-client';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { server } from '@/testing/server';
import { mine, nadia, onPost, queues, refusal } from '../fixtures';

const AT = '2026-11-20T05:00:00Z';
const karim = {
  ...{ _id: 'u-karim', username: 'karim', profilePic: '', isStaff: false },
  ...{ isVerified: true, secondFactor: false, createdAt: AT },
};
const WORDS = 'Send it by bKash first.';

function aCase(over: Partial<AdminCase> = {}): AdminCase {
  return {
    ...{ _id: 'case-1', subject: 'message', subjectId: 'm-2', accused: karim, subjectName: 'karim', excerpt: WORDS },
    ...{ reports: 2, reasons: ['off_platform'], firstReportedAt: AT, status: 'open', claimedBy: null, claimedUntil: null },
    ...{ action: '', reason: '', until: null, decidedBy: '', decidedAt: null, appeal: null },
    ...over,
  };
}

const appealed = () =>
  aCase({
    ...{ status: 'appealed', action: 'suspend', reason: 'Asked for bKash.', until: AT, decidedBy: 'sadia', decidedAt: AT },
    appeal: { text: 'It was a joke.', createdAt: AT, status: 'open', answer: '', decidedAt: null, decidedBy: '' },
  });

const CONTENT = {
  ...{ title: '', text: WORDS, image: '', pictures: [], price: null, category: '', rating: null, facts: {} },
  username: 'karim',
};

const detailOf = (row: AdminCase, over: Partial<AdminCaseDetail> = {}): AdminCaseDetail => ({
  ...row,
  ...{ snapshot: CONTENT, current: CONTENT, context: [] },
  reportList: [
    { _id: 'r-1', reporter: { ...karim, _id: 'u-x', username: 'xenia' }, reason: 'off_platform', text: 'Twice.', createdAt: AT },
  ],
  history: [{ _id: 'h-1', action: 'warn', reason: 'No insults.', decidedAt: AT, overturned: false }],
  ...over,
});

const claimed = (row: AdminCase) => {
  const { admin, until } = mine();
  return { ...row, claimedBy: admin, claimedUntil: until };
};

/** Serves these cases; claims succeed for Nadia. */
function cases(rows: AdminCase[], over: Partial<AdminCaseDetail> = {}) {
  queues();
  const looks: string[] = [];
  const find = (id: unknown) => rows.find(({ _id }) => _id === id) ?? aCase();
  server.use(
    http.get('*/api/admin/reports', ({ request }) => {
      const status = new URL(request.url).searchParams.get('status') ?? 'open';
      const found = rows.filter((row) => (status === 'decided' ? ['decided', 'closed'] : [status]).includes(row.status));
      return HttpResponse.json({ success: true, cases: found, page: 1, pages: 1, total: found.length });
    }),
    http.get('*/api/admin/reports/:id', ({ params }) => {
      looks.push(String(params.id));
      return HttpResponse.json(detailOf(find(params.id), over));
    }),
    http.post('*/api/admin/reports/:id/claim', ({ params }) =>
      HttpResponse.json({ message: '', outcome: 'case_claimed', case: claimed(find(params.id)) }),
    ),
  );
  return { rows, looks };
}

const handled = (row: AdminCase, outcome: 'case_decided' | 'appeal_decided') => () =>
  HttpResponse.json({
    message: outcome === 'case_decided' ? 'The decision has been made.' : 'The appeal has been decided.',
    outcome,
    case: row,
  });

async function open(path = '/admin/reports?review=case-1') {
  const page = renderAt(path);
  const drawer = within(await screen.findByRole('dialog', { name: 'Message by karim' }));
  await drawer.findByText(/^Reserved for you until/);
  return { ...page, drawer };
}

beforeEach(() => {
  cases([aCase()]);
});

describe('the queue of reports', () => {
  it('says who, what, why, how often and for how long, in tabs with counts', async () => {
    cases([aCase(), aCase({ _id: 'case-2', status: 'decided', action: 'ban' }), { ...appealed(), _id: 'case-3' }]);
    const { user } = renderAt('/admin/reports');
    const row = within(await screen.findByRole('row', { name: /karim/ }));
    expect(row.getByText('2 reports')).toBeVisible();
    expect(row.getByText(WORDS)).toBeVisible();
    expect(row.getByText('Wants to be paid outside Amanat')).toBeVisible();
    expect(await screen.findByRole('link', { name: 'Appeals 1' })).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Decided' }));
    expect(await screen.findByText('Suspended for good')).toBeVisible();
  });

  it('is searched within its tab', async () => {
    const asked: string[] = [];
    server.events.on('request:start', ({ request }) => {
      const url = new URL(request.url);
      if (url.searchParams.has('search')) asked.push(url.search);
    });
    cases([{ ...appealed(), _id: 'case-3' }]);
    const { user, router } = renderAt('/admin/reports?tab=appealed');
    await screen.findByRole('table', { name: 'Reports' });
    await user.keyboard('/');
    await user.keyboard('kar{Enter}');
    await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'appealed', search: 'kar' }));
    await waitFor(() => expect(asked).toEqual(['?page=1&limit=10&status=appealed&search=kar']));
    expect(await screen.findByText('1 report found')).toBeInTheDocument();
  });

  it('counts in the menu what waits', async () => {
    cases([aCase(), { ...appealed(), _id: 'case-3' }]);
    renderAt('/admin/reports');
    expect(await screen.findByLabelText('2 waiting')).toBeVisible();
  });
});

describe('the review of a report', () => {
  it('shows what was reported in its conversation, the reports and former decisions', async () => {
    cases([aCase()], {
      current: null,
      context: [
        aMessage({ _id: 'm-1', senderId: 'u-x', senderName: 'xenia', text: 'Still there?' }),
        aMessage({ _id: 'm-2', senderId: 'u-karim', senderName: 'karim', text: WORDS }),
      ],
    });
    const { drawer } = await open();
    expect(await drawer.findByText('It has been deleted since.')).toBeVisible();
    expect(drawer.getByText('Twice.')).toBeVisible();
    expect(drawer.getByText('No insults.')).toBeVisible();
    const marked = drawer.getByText('Reported message').closest('li');
    expect(marked).toHaveAttribute('data-message', 'm-2');
  });

  it('shows the pictures of a delivery that was reported', async () => {
    cases([aCase()], { snapshot: { ...CONTENT, pictures: ['/api/images/i-1', '/api/images/i-2'] } });
    const { user, drawer } = await open();
    await user.click(await drawer.findByRole('button', { name: 'Picture 2 of 2 from karim' }));
    const viewer = within(await screen.findByRole('dialog', { name: 'Picture 2 of 2 from karim' }));
    expect(viewer.getByRole('img')).toHaveAttribute('src', '/api/images/i-2');
  });

  it('shows the facts that a post stated', async () => {
    const snapshot = { ...CONTENT, title: 'A channel', price: 480, category: 'Online Asset', facts: { niche: 'Insults' } };
    cases([aCase()], { snapshot });
    const { drawer } = await open();
    expect(await drawer.findByText('Insults')).toBeVisible();
  });

  it('suspends for days with a reason, by the keyboard alone', async () => {
    const done = aCase({
      status: 'decided',
      action: 'suspend',
      reason: 'Asked for bKash.',
      decidedBy: nadia.username,
      decidedAt: AT,
    });
    const calls = onPost('/admin/reports/case-1/decide', handled(done, 'case_decided'));
    const { user, drawer } = await open();
    await drawer.findByText('Twice.');
    await user.keyboard('a');
    const question = within(await screen.findByRole('alertdialog', { name: 'What happens to karim?' }));
    expect(question.getByLabelText('Warn')).toHaveFocus();
    expect(question.queryByLabelText('Hide it')).toBeNull();
    await user.click(question.getByLabelText('Suspend temporarily'));
    await user.clear(question.getByLabelText('Days'));
    await user.type(question.getByLabelText('Days'), '400');
    await user.click(question.getByRole('button', { name: 'Suspend for 400 days' }));
    expect(await question.findByText('Please enter 1 to 365 days.')).toBeVisible();
    expect(question.getByText('Please give the reason. The user reads it.')).toBeVisible();
    await user.clear(question.getByLabelText('Days'));
    await user.type(question.getByLabelText('Days'), '১৪');
    await user.type(question.getByLabelText('Reason (karim will read it)'), 'Asked for bKash.');
    await user.click(question.getByRole('button', { name: 'Suspend for 14 days' }));
    await waitFor(() =>
      expect(calls.map(({ body }) => body)).toEqual([{ action: 'suspend', reason: 'Asked for bKash.', days: 14 }]),
    );
    expect(await drawer.findByText('Decided. Everyone concerned is told.')).toBeVisible();
    expect(notices.map(({ text }) => text)).toEqual(['The decision has been made.']);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('is dismissed without a reason', async () => {
    const calls = onPost(
      '/admin/reports/case-1/decide',
      handled(aCase({ status: 'decided', action: 'dismiss', decidedAt: AT }), 'case_decided'),
    );
    const { user } = await open();
    await user.keyboard('d');
    const question = within(await screen.findByRole('alertdialog', { name: 'Dismiss the reports?' }));
    await user.click(question.getByRole('button', { name: 'Dismiss' }));
    await waitFor(() => expect(calls.map(({ body }) => body)).toEqual([{ action: 'dismiss', reason: '' }]));
  });

  it('keeps the words that were typed when it is refused', async () => {
    onPost('/admin/reports/case-1/decide', refusal(403, 'forbidden', 'An admin cannot be suspended.'));
    const { user, drawer } = await open();
    await user.click(drawer.getByRole('button', { name: 'Take action' }));
    const question = within(await screen.findByRole('alertdialog'));
    await user.type(question.getByLabelText('Reason (karim will read it)'), 'Insults.');
    await user.click(question.getByRole('button', { name: 'Warn karim' }));
    await waitFor(() => expect(notices.map(({ text }) => text)).toEqual(['An admin cannot be suspended.']));
    expect(question.getByLabelText('Reason (karim will read it)')).toHaveValue('Insults.');
  });

  it('says who has decided it meanwhile', async () => {
    const text = 'Already handled by sadia at 20 Nov 2026, 11:00.';
    const { rows } = cases([aCase()]);
    onPost('/admin/reports/case-1/decide', refusal(409, 'already_handled', text));
    const { user, drawer } = await open();
    await user.keyboard('d');
    rows.length = 0;
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Dismiss' }));
    expect(await drawer.findByText(text)).toBeVisible();
    expect(drawer.queryByRole('button', { name: 'Take action' })).toBeNull();
  });

  it('that the admin may not decide says so before anything is typed', async () => {
    const text = 'You reported this yourself. Another admin has to decide it.';
    onPost('/admin/reports/case-1/claim', refusal(403, 'forbidden', text));
    const { user } = renderAt('/admin/reports?review=case-1');
    const drawer = within(await screen.findByRole('dialog', { name: 'Message by karim' }));
    expect(await drawer.findByText(text)).toBeVisible();
    expect(drawer.queryByRole('button', { name: 'Take action' })).toBeNull();
    expect(drawer.queryByRole('button', { name: 'Dismiss' })).toBeNull();
    await user.keyboard('a');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(notices).toEqual([]);
  });

  it('about a closed account can only be dismissed, and shows nothing of what is erased', async () => {
    const gone = { ...CONTENT, text: '', username: '' };
    cases([aCase({ accused: { ...karim, closed: true } })], { snapshot: gone, current: gone });
    const { user, drawer } = await open();
    expect(await drawer.findByText('This account is closed, and what was reported was erased with it.')).toBeVisible();
    expect(drawer.queryByText('Unchanged since the report.')).toBeNull();
    expect(drawer.queryByRole('link', { name: 'Open the profile' })).toBeNull();
    expect(drawer.queryByRole('button', { name: 'Take action' })).toBeNull();
    await user.keyboard('a');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    await user.click(drawer.getByRole('button', { name: 'Dismiss' }));
    expect(await screen.findByRole('alertdialog', { name: 'Dismiss the reports?' })).toBeVisible();
  });

  it('about staff offers no suspension', async () => {
    cases([aCase({ subject: 'post', accused: { ...karim, isStaff: true } })]);
    const { user } = renderAt('/admin/reports?review=case-1');
    const drawer = within(await screen.findByRole('dialog', { name: 'Post by karim' }));
    await drawer.findByText(/^Reserved for you until/);
    await user.click(drawer.getByRole('button', { name: 'Take action' }));
    const question = within(await screen.findByRole('alertdialog'));
    expect(question.getAllByRole('radio').map((choice) => (choice as HTMLInputElement).value)).toEqual(['warn', 'hide']);
  });

  it('is looked into once, even when events were missed', async () => {
    const { looks } = cases([aCase()]);
    const { drawer } = await open();
    await drawer.findByText('Twice.');
    await act(() => queryClient.invalidateQueries());
    expect(looks).toEqual(['case-1']);
  });

  it('about oneself is another admin’s to decide', async () => {
    const { looks } = cases([aCase({ accused: { ...karim, _id: nadia._id, username: nadia.username } })]);
    renderAt('/admin/reports?review=case-1');
    expect(await screen.findByText('This is about you. Another admin has to decide it.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Take action' })).toBeNull();
    expect(looks).toEqual([]);
  });
});

describe('an appeal', () => {
  it('is overturned with an answer, which is needed', async () => {
    cases([appealed()]);
    const calls = onPost('/admin/reports/case-1/appeal', handled({ ...appealed(), status: 'closed' }, 'appeal_decided'));
    const { user, drawer } = await open('/admin/reports?tab=appealed&review=case-1');
    expect(drawer.getByText('It was a joke.')).toBeVisible();
    await user.keyboard('o');
    const question = within(await screen.findByRole('alertdialog', { name: 'Overturn the decision?' }));
    await user.click(question.getByRole('button', { name: 'Overturn' }));
    expect(await question.findByText('Please give the answer. The user reads it.')).toBeVisible();
    await user.type(question.getByRole('textbox'), 'We are sorry.');
    await user.click(question.getByRole('button', { name: 'Overturn' }));
    await waitFor(() => expect(calls.map(({ body }) => body)).toEqual([{ overturn: true, answer: 'We are sorry.' }]));
    expect(await drawer.findByText('The appeal is answered. karim is told.')).toBeVisible();
  });
});
