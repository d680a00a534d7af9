import type { Page } from '@playwright/test';
import type { Conversation, DirectMessage, NotificationSettings, SecondFactor, Withdrawal, Withdrawals } from '@/api/contract';
import type { Demo } from './cast';
import { covered, failing, loading, opened, patched, refused, type Scene, still } from './scene';
import { closedThread, limits, newTerms, numbers, ownDataScenes } from './scenes-account';
import { checkouts, followed, reported } from './scenes-deposits';
import { moderation } from './scenes-moderation';

/** The header's menus and banners. */
const shell = (demo: Demo): Scene[] => [
  opened('buyer', 'notifications', '/dashboard', 'header [aria-haspopup=dialog]'),
  opened('newcomer', 'notifications-new', '/refer', 'header [aria-haspopup=dialog]'),
  { ...opened('buyer', 'messages-menu', '/dashboard', 'header [aria-haspopup=menu]'), wide: true },
  { ...opened('newcomer', 'messages-menu-new', '/refer', 'header [aria-haspopup=menu]'), wide: true },
  { ...opened('buyer', 'profile-menu', '/dashboard', 'header [aria-haspopup=menu]', true), wide: true },
  {
    ...{ who: 'tanvir', name: 'message-toast', path: '/dashboard', window: true },
    act: async (page) => {
      await demo.say('I have looked at everything. Thank you, it is all there.');
      await page.locator('[data-slot="message-toast"]').waitFor();
    },
  },
  {
    ...{ who: 'buyer', name: 'offline', path: '/dashboard', window: true },
    act: async (page) => {
      await page.evaluate(() => dispatchEvent(new Event('offline')));
      await page.locator('[data-slot="banner"]').first().waitFor();
    },
  },
];

/** A withdrawal on hold for every possible reason. */
const HELD: Withdrawal = {
  ...{ _id: 'wd-1', user: { _id: 'u-1', username: 'seller', profilePic: '', isStaff: false, email: 'seller@amanat.example' } },
  ...{ amount: 40, convertedAmount: 4880, rate: 122, phonenumber: '01712448840', paymentMethod: 'Nagad', method: 'Nagad' },
  ...{ actionType: 'withdraw', transactionId: null, status: 'pending', reason: null, requestedAt: '2026-01-02T04:00:00Z' },
  ...{ handledAt: null, cancelledAt: null, onHold: true, heldUntil: '2099-11-19T04:54:00Z', confirmedAt: null, disownedAt: null },
  heldReasons: ['new_number', 'password_reset', 'new_browser'],
};
/** Searches to save. */
const SEARCHES = [
  'search=cooking&category=Online+Asset&subcategory=YouTube+Channel&max=500&facts=monetised:true',
  'category=Physical+Product&min=50',
];

const held = (page: Withdrawals) => ({ ...page, total: 1, withdrawals: [HELD] });

/** Messages with warnings. */
const RISKY = ['My number is 01712-345678.', 'Or here: https://paypal.me/tanvir', 'ভাই, বিকাশ করেন, ডিল লাগবে না।'];
type Messages = { messages: DirectMessage[]; nextBefore: string | null };

const NO_FACTOR: SecondFactor = { totp: false, passkeys: [], backupCodesLeft: 0, required: false };
const FACTOR: SecondFactor = {
  ...{ totp: true, backupCodesLeft: 8, required: false },
  passkeys: [
    { _id: 'p-1', name: 'Chrome on Android', createdAt: '2026-01-02T04:00:00Z', lastUsedAt: '2026-01-05T04:00:00Z' },
    { _id: 'p-2', name: 'Safari on Mac', createdAt: '2026-01-03T04:00:00Z', lastUsedAt: null },
  ],
};
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const CODES = [
  '7K2MP-9XQ4T',
  'B3HNW-0R6YD',
  'CE5JV-8MZ1G',
  'DK9TS-2PQ7X',
  'F1AWR-6NB4H',
  'G8YCM-5VE3J',
  'H4ZQD-1KT9S',
  'J6PXG-7WA2N',
];

/** A second factor, which the demo users lack. */
const factor = (answer: SecondFactor) => (page: Page) =>
  page.route('**/api/auth/second-factor**', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname.endsWith('/confirm')) return route.fulfill({ json: { backupCodes: [...CODES, 'K0RBE-3XD8V', 'M5STF-4CJ6W'] } });
    if (pathname.endsWith('/totp')) {
      return route.fulfill({ json: { secret: SECRET, uri: `otpauth://totp/Amanat:buyer?issuer=Amanat&secret=${SECRET}` } });
    }
    return route.fulfill({ json: answer });
  });

const setUp = async (page: Page, last: 'scan' | 'code' | 'codes') => {
  await page.locator('main button[data-variant="default"]').first().click();
  await page.locator('[data-slot="totp-secret"]').waitFor();
  if (last === 'scan') return;
  await page.locator('[role=dialog] button[data-variant="default"]').click();
  await page.locator('[role=dialog] input').fill('123456');
  if (last === 'code') return;
  await page.locator('[role=dialog] [type=submit]').click();
  await page.locator('[data-slot="backup-codes"]').waitFor();
};

const security: Scene[] = [
  { ...still('buyer', 'security', '/security'), before: factor(NO_FACTOR) },
  { ...still('buyer', 'security-on', '/security'), before: factor(FACTOR) },
  {
    ...still('buyer', 'security-required', '/security'),
    before: factor({ totp: true, passkeys: [], backupCodesLeft: 2, required: true }),
  },
  {
    ...still('buyer', 'security-email', '/security'),
    before: factor(NO_FACTOR),
    act: async (page) => {
      await page
        .getByRole('region', { name: /^(Email|ইমেইল)$/ })
        .getByRole('button')
        .last()
        .click();
      await page.locator('main input[type=email]').waitFor();
    },
  },
  loading('buyer', 'security', '/security', '/auth/second-factor'),
  failing('buyer', 'security', '/security', '/auth/second-factor'),
  ...(['scan', 'code', 'codes'] as const).map(
    (step): Scene => ({
      ...{ who: 'buyer', name: `security-set-up-${step}`, path: '/security', window: true },
      before: factor(NO_FACTOR),
      act: (page) => setUp(page, step),
    }),
  ),
  {
    ...opened('buyer', 'security-remove', '/security', 'main li [data-variant="ghost"]', true),
    before: factor(FACTOR),
  },
];

/** Two devices with pushes: this one and a phone. */
const devices = (settings: NotificationSettings): NotificationSettings => ({
  ...settings,
  devices: [true, false].map((current) => ({
    ...{ _id: current ? 'p-1' : 'p-2', current, createdAt: '2026-01-02T04:00:00Z' },
    lastUsedAt: current ? null : '2026-01-03T10:12:00Z',
    userAgent: current ? 'Windows NT 10.0 Chrome/147.0 Safari/537.36' : 'Android 15 Chrome/147.0 Mobile Safari/537.36',
  })),
});

const heard = patched(still('buyer', 'notification-settings', '/notifications'), '/notifications/settings', devices);

const notifications: Scene[] = [
  heard,
  {
    ...heard,
    name: 'notification-settings-quiet',
    act: (page) => page.getByRole('checkbox', { name: /^(Quiet hours|নীরব সময়)$/ }).check(),
  },
  loading('buyer', 'notification-settings', '/notifications', '/notifications/settings'),
  failing('buyer', 'notification-settings', '/notifications', '/notifications/settings'),
];

/** A member's pages except deals. */
export const app = (demo: Demo) => ({
  '/dashboard': [
    still('buyer', 'dashboard', '/dashboard'),
    still('seller', 'dashboard-seller', '/dashboard?days=30'),
    still('newcomer', 'dashboard-new', '/dashboard'),
    loading('buyer', 'dashboard', '/dashboard', '/deals/my-deals*'),
    failing('buyer', 'dashboard', '/dashboard', '/dashboard*'),
    {
      ...{ who: 'buyer', name: 'checking', path: '/dashboard', shows: 'main [data-slot="spinner"]', window: true },
      before: (page) => page.route('**/api/auth/check', () => undefined),
    },
    ...shell(demo),
  ] satisfies Scene[],
  '/balance': [
    still('buyer', 'balance', '/balance'),
    still('seller', 'balance', '/balance'),
    still('buyer', 'balance-filtered', '/balance?days=7'),
    patched(still('seller', 'balance-held', '/balance'), '/withdraw/history*', held),
    patched(still('buyer', 'balance-limits', '/balance#limits'), '/wallet/limits', limits),
    still('newcomer', 'balance-new', '/balance'),
    loading('buyer', 'balance', '/balance', '/wallet*'),
  ],
  // Redirects to /balance.
  '/balance/statement': [],
  '/balance/statement/print': [
    still('seller', 'statement-print', '/balance/statement/print'),
    still('newcomer', 'statement-print-new', '/balance/statement/print'),
    failing('buyer', 'statement-print', '/balance/statement/print', '/wallet/statement*'),
  ],
  '/balance/checkouts/$checkoutId': checkouts(demo),
  '/balance/deposits/$depositId': followed(demo),
  '/balance/deposits/$depositId/receipt': [still('buyer', 'deposit-paper', `/balance/deposits/${demo.deposit}/receipt`)],
  '/deposit': [
    ...reported,
    still('buyer', 'deposit', '/deposit'),
    still('newcomer', 'deposit-new', '/deposit'),
    covered('buyer', 'deposit-bkash', '/deposit?method=Bkash'),
    covered('buyer', 'deposit-deal', `/deposit?amount=130&deal=${demo.deals.Pending}`),
    filled('buyer', 'deposit-filled', '/deposit?method=Nagad', '100'),
  ],
  '/withdraw': [
    still('seller', 'withdraw', '/withdraw'),
    still('newcomer', 'withdraw-new', '/withdraw'),
    covered('seller', 'withdraw-nagad', '/withdraw?method=Nagad'),
    patched(covered('seller', 'withdraw-picks', '/withdraw?method=Nagad'), '/wallet/payout-numbers', numbers),
    filled('seller', 'withdraw-too-much', '/withdraw?method=Bkash', '5000'),
  ],
  '/inbox': [
    still('buyer', 'inbox', '/inbox'),
    still('newcomer', 'inbox-new', '/inbox'),
    loading('buyer', 'inbox', '/inbox', '/messages/conversations*'),
  ],
  '/inbox/$conversationId': [
    still('buyer', 'thread', `/inbox/${demo.conversation}`),
    still('seller', 'thread-seller', `/inbox/${demo.conversation}`),
    patched(
      patched(
        still('buyer', 'thread-warnings', `/inbox/${demo.conversation}`),
        `/messages/conversations/${demo.conversation}`,
        (conversation: Conversation) => ({
          ...conversation,
          answered: false,
          participants: conversation.participants.map((one) => ({ ...one, isStaff: one.username !== 'buyer' })),
        }),
      ),
      `/messages/${demo.conversation}*`,
      ({ messages, ...page }: Messages) => ({
        ...page,
        messages: messages
          .filter(({ senderName }) => senderName !== 'buyer')
          .slice(-RISKY.length)
          .map((message, index) => ({ ...message, text: RISKY[index], image: '' })),
      }),
    ),
    closedThread(demo),
    // Messages of a delivery and a request for changes.
    ...(['buyer', 'seller'] as const).map((who) => ({
      ...still(who, `thread-delivery-${who}`, `/inbox/${demo.conversation}`),
      window: true as const,
      act: (page: Page) =>
        page
          .locator('[data-slot="deal-message"]')
          .first()
          .evaluate((message) => message.scrollIntoView({ block: 'start' })),
    })),
    loading('buyer', 'thread', `/inbox/${demo.conversation}`, `/messages/${demo.conversation}*`),
    ...moderation(demo).thread,
  ],
  '/profile': [still('buyer', 'profile', '/profile'), still('newcomer', 'profile-new', '/profile'), ...moderation(demo).profile],
  '/notifications': notifications,
  '/security': [...security, ...ownDataScenes(factor(NO_FACTOR))],
  '/refer': [
    patched(still('buyer', 'terms-changed', '/refer'), '/auth/check', newTerms),
    still('buyer', 'refer', '/refer'),
    still('newcomer', 'refer-new', '/refer'),
  ],
  '/MyPosts': [
    still('seller', 'my-posts', '/MyPosts'),
    still('newcomer', 'my-posts-new', '/MyPosts'),
    opened('seller', 'my-posts-delete', '/MyPosts', 'main li button', true),
    ...moderation(demo).myPosts,
    loading('seller', 'my-posts', '/MyPosts', '/posts/my-posts*'),
  ],
  '/saved': [
    still('newcomer', 'saved-new', '/saved'),
    {
      ...still('salma', 'saved', '/saved'),
      before: (page: Page) => Promise.all([demo.post, demo.bare].map((id) => page.request.put(`/api/posts/${id}/saved`))),
    },
    still('newcomer', 'saved-searches-new', '/saved?tab=searches'),
    {
      ...still('salma', 'saved-searches', '/saved?tab=searches'),
      before: (page: Page) => Promise.all(SEARCHES.map((query) => page.request.put(`/api/posts/saved/searches?${query}`))),
    },
  ],
  '/posts/create': [
    still('seller', 'post-create', '/posts/create'),
    refused('seller', 'post-create-refused', '/posts/create'),
    {
      ...{ who: 'seller', name: 'post-create-leave', path: '/posts/create', window: true },
      act: async (page) => {
        await page.locator('main form input').first().fill('Cooking channel');
        await page.locator('header a').first().click();
        await page.locator('[role=alertdialog]').waitFor();
      },
    },
  ] satisfies Scene[],
  '/posts/edit/$postId': [still('seller', 'post-edit', `/posts/edit/${demo.post}`)],
});

/** A dialog with an amount. */
function filled(who: Scene['who'], name: string, path: string, amount: string): Scene {
  return {
    ...{ who, name, path, window: true },
    act: (page) => page.locator('[role=dialog] input').first().fill(amount),
  };
}
