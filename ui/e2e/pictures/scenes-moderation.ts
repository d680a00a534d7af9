import type { Page } from '@playwright/test';
import type { AdminCase, AdminCaseDetail, BlockedUser, Conversation, Decision, Post, Report } from '@/api/contract';
import type { Demo } from './cast';
import { opened, overlay, patched, type Scene, still } from './scene';

const AT = '2026-01-02T04:00:00Z';
const LATER = '2099-01-16T04:00:00Z';
const KARIM = {
  ...{ _id: '00000000-0000-7000-8000-00000000000a', username: 'karim_the_second', profilePic: '', isStaff: false },
  ...{ isVerified: true, secondFactor: false, createdAt: AT },
};
const NADIA = { ...KARIM, _id: '00000000-0000-7000-8000-00000000000b', username: 'nadia' };
const WORDS = 'Send the money to my bKash number first, then I hand over the channel. No deal needed, we save the fee.';

const fulfil = (page: Page, call: string, json: object, headers: Record<string, string> = {}) =>
  page.route(`**/api${call}`, (route) => route.fulfill({ json, headers }));

const list = (name: string, path: string, call: string, rows: readonly object[]): Scene => ({
  ...still('buyer', name, path),
  before: (page) => fulfil(page, call, rows, { 'X-Total-Count': String(rows.length) }),
});

const aReport = (over: Partial<Report>): Report => ({
  ...{ _id: 'a', subject: 'message', subjectId: 's', subjectName: 'karim_the_second', reason: 'off_platform', text: '' },
  ...{ status: 'open', outcome: '', createdAt: AT, decidedAt: null },
  ...over,
});

const REPORTS = [
  aReport({ text: 'Asked me twice to pay by bKash, although I said no.' }),
  aReport({
    ...{ _id: 'b', subject: 'post', subjectName: 'Cooking channel, 41,200 subscribers', reason: 'scam' },
    ...{ status: 'decided', outcome: 'action_taken', decidedAt: AT },
  }),
  aReport({ _id: 'c', subject: 'user', reason: 'spam', status: 'decided', outcome: 'no_violation', decidedAt: AT }),
];

const BLOCKED: BlockedUser[] = [
  { user: KARIM, blockedAt: AT },
  { user: NADIA, blockedAt: AT },
];

const aDecision = (over: Partial<Decision>): Decision => ({
  ...{ _id: 'd', action: 'suspend', subject: 'message', subjectId: 's', subjectName: 'seller', excerpt: WORDS },
  reason: 'You asked a buyer to pay outside Amanat, after two warnings.',
  ...{ until: LATER, decidedAt: AT, appeal: null, canAppeal: true, appealUntil: LATER },
  ...over,
});

const APPEAL = {
  ...{ text: 'It was a joke between friends. We made the deal on Amanat right after.', createdAt: AT },
  ...{ status: 'upheld' as const, answer: 'We read the whole conversation, and it was no joke to the buyer.', decidedAt: AT },
};

const decision = (name: string, over: Partial<Decision>): Scene => ({
  ...still('seller', name, '/decisions/d'),
  before: (page) => fulfil(page, '/decisions/d', aDecision(over)),
});

/** The report dialog, from the last menu item but one. */
const reportDialog = (who: 'buyer' | 'seller', name: string, path: string): Scene => ({
  ...{ who, name, path, window: true },
  act: async (page) => {
    await page.locator('main [aria-haspopup=menu]').last().click();
    await page.getByRole('menuitem').last().click();
    await overlay(page).waitFor();
    await page.locator('[role=dialog] input[type=radio]').nth(1).check();
  },
});

const aCase = (over: Partial<AdminCase>): AdminCase => ({
  ...{ _id: 'c-1', subject: 'message', subjectId: 'm-2', accused: KARIM, subjectName: KARIM.username, excerpt: WORDS },
  ...{ reports: 3, reasons: ['off_platform', 'scam'], firstReportedAt: AT, status: 'open', claimedBy: null, claimedUntil: null },
  ...{ action: '', reason: '', until: null, decidedBy: '', decidedAt: null, appeal: null },
  ...over,
});

const POST_CASE = aCase({
  ...{ _id: 'c-2', subject: 'post', subjectName: 'Cooking channel, 41,200 subscribers', accused: NADIA, reports: 1 },
  ...{ excerpt: 'Since 2019. No strikes.', reasons: ['impersonation'] },
});
const APPEALED = aCase({
  ...{ status: 'appealed', action: 'suspend', reason: 'You asked a buyer to pay outside Amanat.', until: LATER },
  ...{ decidedBy: 'sadia', decidedAt: AT },
  appeal: { ...APPEAL, status: 'open', answer: '', decidedAt: null, decidedBy: '' },
});
const DECIDED = [
  aCase({ status: 'closed', action: 'ban', decidedBy: 'sadia', decidedAt: AT }),
  aCase({ ...POST_CASE, status: 'decided', action: 'hide', decidedBy: 'sadia', decidedAt: AT }),
  aCase({ _id: 'c-3', status: 'decided', action: 'dismiss', decidedBy: 'sadia', decidedAt: AT, accused: NADIA }),
  aCase({ _id: 'c-4', status: 'decided', action: 'warn', decidedBy: 'sadia', decidedAt: AT }),
];

const message = (id: string, senderId: string, senderName: string, text: string) => ({
  ...{ _id: id, conversationId: 'c', senderId, senderName, receiverId: 'r', text, image: '', isRead: true, readBy: [] },
  createdAt: AT,
});

const CONTENT = {
  ...{ title: '', text: WORDS, image: '', pictures: [], price: null },
  ...{ category: '', rating: null, facts: {}, username: KARIM.username },
};

const detailOf = (row: AdminCase): AdminCaseDetail => ({
  ...row,
  snapshot:
    row.subject === 'post'
      ? { ...CONTENT, title: row.subjectName, text: row.excerpt, price: 480, category: 'Online Asset' }
      : CONTENT,
  current:
    row.subject === 'post'
      ? { ...CONTENT, title: row.subjectName, text: 'Since 2019. One strike, long ago.', price: 450, category: 'Online Asset' }
      : CONTENT,
  reportList: [
    { _id: 'r-1', reporter: NADIA, reason: 'off_platform', text: 'Asked me twice to pay by bKash.', createdAt: AT },
    { _id: 'r-2', reporter: KARIM, reason: 'scam', text: '', createdAt: AT },
  ],
  context:
    row.subject === 'message'
      ? [
          message('m-1', NADIA._id, 'nadia', 'Is the channel still for sale?'),
          message('m-2', KARIM._id, KARIM.username, WORDS),
          message('m-3', NADIA._id, 'nadia', 'No, please make a deal here.'),
        ]
      : [],
  history: [{ _id: 'h-1', action: 'warn', reason: 'Do not insult other users.', decidedAt: AT, overturned: false }],
});

const queue = (name: string, path: string, cases: readonly AdminCase[], act?: Scene['act']): Scene => ({
  ...{ who: 'admin', name, path, window: true, ...(act ? { act } : {}) },
  before: async (page) => {
    await page.route('**/api/admin/reports?*', (route) =>
      route.fulfill({ json: { success: true, cases, page: 1, pages: 1, total: cases.length } }),
    );
    await page.route(/\/api\/admin\/reports\/c-\d/, (route) => {
      const row = cases.find(({ _id }) => route.request().url().includes(`/${_id}`)) ?? aCase({});
      if (route.request().method() === 'GET') return route.fulfill({ json: detailOf(row) });
      return route.fulfill({ json: { message: '', outcome: '', case: row } });
    });
  },
});

const asks = (key: string) => async (page: Page) => {
  await page.locator('[data-slot=drawer] [data-slot=section]').first().waitFor();
  await page.keyboard.press(key);
  await page.locator('[role=alertdialog]').waitFor();
};

const refusedLogin: Scene = {
  ...still('visitor', 'login-suspended', '/login'),
  before: (page) =>
    page.route('**/api/auth/login', (route) =>
      route.fulfill({
        status: 403,
        json: {
          ...{
            code: 'forbidden',
            reason: 'login_suspended',
            params: { until: LATER, reason: 'You asked a buyer to pay outside.' },
          },
          message: 'Your account is suspended until 16 Jan 2099, 10:00: You asked a buyer to pay outside.',
        },
      }),
    ),
  act: async (page) => {
    await page.locator('main input').first().fill('rahim');
    await page.locator('main input[type=password]').fill('amanat-demo');
    await page.locator('main form [type=submit]').click();
    await page.locator('main [role=alert]').waitFor();
  },
};

/** Blocks and reports for users and admins, by route. */
export const moderation = (demo: Demo) => {
  const thread = `/inbox/${demo.conversation}`;
  const blocked = (name: string, block: Conversation['block']): Scene =>
    patched(
      { ...still('buyer', name, thread), window: true },
      `/messages/conversations/${demo.conversation}`,
      (one: Conversation) => ({
        ...one,
        ...{ block, writable: false },
      }),
    );
  const hidden = (post: Post): Post => ({ ...post, hidden: true, decisionId: 'd' });
  return {
    login: [refusedLogin],
    post: [
      patched(still('seller', 'post-hidden', `/posts/${demo.post}`), `/posts/${demo.post}`, hidden),
      opened('buyer', 'report-post', `/posts/${demo.post}`, 'main aside button:has(.lucide-flag)'),
    ],
    person: [opened('buyer', 'person-menu', '/profile/seller', 'main [aria-haspopup=menu]')],
    thread: [
      blocked('thread-blocked', 'mine'),
      blocked('thread-blocked-theirs', 'theirs'),
      reportDialog('buyer', 'report-message', thread),
      {
        ...{ who: 'buyer', name: 'thread-block', path: thread, window: true },
        act: async (page: Page) => {
          await page.locator('main header [aria-haspopup=menu]').click();
          await page.getByRole('menuitem').last().click();
          await page.locator('[role=alertdialog]').waitFor();
        },
      } satisfies Scene,
    ],
    profile: [list('profile-blocked', '/profile', '/users/blocked*', BLOCKED)],
    myPosts: [
      patched(still('seller', 'my-posts-hidden', '/MyPosts'), '/posts/my-posts*', (posts: Post[]) =>
        posts.map((post, index) => (index === 0 ? hidden(post) : post)),
      ),
    ],
    routes: {
      '/reports': [
        list('reports', '/reports', '/reports/mine*', REPORTS),
        list('reports-none', '/reports', '/reports/mine*', []),
      ],
      '/decisions/$id': [
        decision('decision', {}),
        decision('decision-warned', { action: 'warn', until: null }),
        decision('decision-upheld', { appeal: APPEAL, canAppeal: false }),
        still('buyer', 'decision-missing', '/decisions/00000000-0000-7000-8000-000000000000'),
      ],
      '/appeal': [
        still('visitor', 'appeal-spent', '/appeal?token=spent'),
        {
          ...still('visitor', 'appeal', '/appeal#token=fresh'),
          before: (page: Page) => fulfil(page, '/appeals/open', { decision: aDecision({}) }),
        },
      ],
      '/admin/reports': [
        still('admin', 'admin-reports', '/admin/reports'),
        queue('admin-reports-queue', '/admin/reports', [aCase({}), POST_CASE]),
        queue('admin-reports-message', '/admin/reports?review=c-1', [aCase({}), POST_CASE]),
        queue('admin-reports-post', '/admin/reports?review=c-2', [aCase({}), POST_CASE]),
        queue('admin-reports-act', '/admin/reports?review=c-2', [aCase({}), POST_CASE], asks('a')),
        queue('admin-reports-appeal', '/admin/reports?tab=appealed&review=c-1', [APPEALED]),
        queue('admin-reports-decided', '/admin/reports?tab=decided', DECIDED),
      ],
    } satisfies Record<string, Scene[]>,
  };
};
