import type { Page } from '@playwright/test';
import type { CloseBlockers, Conversation, DataExport, DirectMessage, PayoutNumber, User, WalletLimits } from '@/api/contract';
import type { Demo } from './cast';
import { patched, type Scene, still } from './scene';

type Messages = { messages: DirectMessage[]; nextBefore: string | null };
type Before = (page: Page) => Promise<unknown>;

const COPY: DataExport = {
  ...{ _id: 'x-1', status: 'ready', requestedAt: '2026-01-02T04:00:00Z', readyAt: '2026-01-02T04:02:00Z' },
  ...{ expiresAt: '2099-01-09T04:02:00Z', size: 1_240_000 },
};
const FREE: CloseBlockers = { blockers: [], openDeals: 0, pendingMoney: 0, balance: 0 };

/** The latest copy of one's data, and what blocks closing the account. */
const ownData = (before: Before, name: string, copy: DataExport | null, closing: CloseBlockers): Scene => ({
  ...still('buyer', name, '/security'),
  before: async (page) => {
    await before(page);
    await page.route('**/api/auth/data-export', (route) => route.fulfill({ json: { export: copy } }));
    await page.route('**/api/auth/close', (route) => route.fulfill({ json: closing }));
  },
});

/** The end of /security. */
export const ownDataScenes = (before: Before): Scene[] => [
  ownData(before, 'security-data-ready', COPY, FREE),
  ownData(
    before,
    'security-data-pending',
    { ...COPY, status: 'pending', readyAt: null, expiresAt: null, size: 0 },
    { blockers: ['open_deals', 'pending_money', 'balance'], openDeals: 2, pendingMoney: 1, balance: 212.4 },
  ),
  ownData(before, 'security-data-failed', { ...COPY, status: 'failed', readyAt: null, expiresAt: null, size: 0 }, FREE),
  {
    ...ownData(before, 'security-close', null, FREE),
    window: true,
    act: async (page) => {
      await page.locator('main button[data-variant="destructive"]').last().click();
      await page.locator('[role=dialog] input').waitFor();
    },
  },
];

const LIMITS: WalletLimits = {
  ...{ level: 'basic', perDeal: 1_000 },
  ...{ paid: { limit: 3_000, used: 750 }, withdrawn: { limit: 1_000, used: 1_000 } },
  next: {
    ...{ level: 'established', perDeal: 10_000, paid: 30_000, withdrawn: 10_000 },
    needs: [
      { kind: 'account_age', have: 12, need: 30 },
      { kind: 'completed_deals', have: 1, need: 3 },
    ],
  },
};
export const limits = () => LIMITS;

const NUMBERS: PayoutNumber[] = [
  {
    ...{ _id: 'p-1', name: 'My Nagad', paymentMethod: 'Nagad', phoneNumber: '01712448840' },
    ...{ lastSentAt: '2026-01-02T04:00:00Z', createdAt: '2026-01-01T04:00:00Z' },
  },
  {
    ...{ _id: 'p-2', name: 'Shop of my brother in Mirpur', paymentMethod: 'Nagad', phoneNumber: '01811000111' },
    ...{ lastSentAt: null, createdAt: '2026-01-01T04:00:00Z' },
  },
];
export const numbers = () => ({ numbers: NUMBERS });

/** Terms newer than those accepted. */
export const newTerms = (user: User) => ({ ...user, terms: { ...user.terms, currentVersion: '2027-02-01' } });

/** A conversation with a closed account. */
export const closedThread = (demo: Demo): Scene =>
  patched(
    patched(
      still('buyer', 'thread-closed', `/inbox/${demo.conversation}`),
      `/messages/conversations/${demo.conversation}`,
      (conversation: Conversation) => ({
        ...conversation,
        writable: false,
        participants: conversation.participants.map((one) =>
          one.username === 'buyer' ? one : { ...one, username: 'deleted-4f7k2m9q', profilePic: '', closed: true },
        ),
      }),
    ),
    `/messages/${demo.conversation}*`,
    ({ messages, ...page }: Messages) => ({
      ...page,
      messages: messages.map((message) =>
        message.senderName === 'buyer' ? message : { ...message, text: '', image: '', erased: true },
      ),
    }),
  );
