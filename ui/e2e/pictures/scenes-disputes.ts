import type { Page, Route } from '@playwright/test';
import type { DealDetail, DealDispute, DisputeSummary } from '@/api/contract';
import type { Demo } from './cast';
import { overlay, patched, refused, type Scene, still } from './scene';

const ID = '00000000-0000-7000-8000-0000000000d1';
const ADMIN = { _id: '00000000-0000-7000-8000-00000000000a', username: 'nadia', profilePic: '', isStaff: true };

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const AT = inHours(-5);
const LATER = inHours(43.5);

/** Of the $90 of the demo's delivered deal. */
const SPLIT = { buyerGets: 40, sellerGets: 49, fee: 1 };
const OFFER = { _id: 'o-1', by: 'seller', ...SPLIT, status: 'open', createdAt: inHours(-2) } as const;
const DECISION = {
  ...{ _id: 'v-1', by: ADMIN, ...SPLIT, decidedAt: inHours(-1), dueAt: inHours(71), carriedOutAt: null },
  ...{ acceptedByBuyer: false, acceptedBySeller: true, final: false },
  reason: 'The page is online and works on phones, but half of what was agreed is missing: the text in Bangla.',
};
const APPEAL = { by: 'seller', text: 'The text in Bangla never reached me, as the chat shows.', at: inHours(-0.5) } as const;

/** A dispute about a deal of the demo. */
function aDispute({ _id, buyer, seller, price, status }: DealDetail, over: Partial<DealDispute>): DealDispute {
  const said = { links: [], pictures: [], offer: null };
  const thread: DealDispute['thread'] = [
    {
      ...{ ...said, _id: 't-1', at: AT, author: buyer, role: 'buyer', kind: 'opened' },
      links: ['https://example.com/tutoring'],
      text: 'The page is in English only. We agreed on Bangla and English, and most of our parents read Bangla.',
    },
    {
      ...{ ...said, _id: 't-2', at: inHours(-4), author: seller, role: 'seller', kind: 'answer' },
      text: 'The text in Bangla never reached me. I can add it within a day once I have it.',
    },
    {
      ...{ ...said, _id: 't-3', at: inHours(-3), author: ADMIN, role: 'admin', kind: 'message' },
      text: 'Did you agree on a day for the text?',
    },
    { ...said, _id: 't-4', at: inHours(-2), author: seller, role: 'seller', kind: 'offer', text: '', offer: OFFER },
  ];
  return {
    ...{ _id: ID, deal: { _id, title: 'Landing page for a tutoring centre', price, status: status as 'Active' }, buyer, seller },
    ...{ openedBy: 'buyer', reason: 'not_as_agreed', status: 'open', createdAt: AT, answerDueAt: LATER, answeredAt: inHours(-4) },
    ...{ expectedBy: LATER, endedAt: null, decision: null, claimedBy: null, claimedUntil: null, canAppeal: false, appeal: null },
    offers: [OFFER],
    thread: over.answeredAt === null ? thread.slice(0, 1) : thread,
    ...over,
  };
}

/** The dispute's page, as one of its parties. */
function room(
  who: 'buyer' | 'seller',
  name: string,
  deal: string | undefined,
  over: Partial<DealDispute>,
  act?: Scene['act'],
): Scene {
  return {
    ...still(who, name, `/disputes/${ID}`),
    before: (page) =>
      page.route(`**/api/disputes/${ID}`, async (route) => {
        const answer = await page.request.get(new URL(`/api/deals/${deal}`, route.request().url()).href);
        await route.fulfill({ json: { dispute: aDispute((await answer.json()) as DealDetail, over) } });
      }),
    ...(act ? { act, window: true } : {}),
  };
}

const press = (selector: string) => async (page: Page) => {
  await page.locator(selector).filter({ visible: true }).first().click();
  await overlay(page).waitFor();
};

/** The worklist with one dispute about a deal, or the page of that dispute. */
function queue(name: string, path: string, deal: string | undefined, over: Partial<DealDispute>, act?: Scene['act']): Scene {
  return {
    ...still('admin', name, path),
    before: async (page) => {
      const read = async (route: Route): Promise<DealDispute> => {
        const answer = await page.request.get(new URL(`/api/deals/${deal}`, route.request().url()).href);
        return aDispute((await answer.json()) as DealDetail, over);
      };
      await page.route('**/api/admin/disputes*', async (route) => {
        const disputes: DisputeSummary[] = [await read(route)];
        await route.fulfill({ json: { disputes, success: true, page: 1, pages: 1, total: 1 } });
      });
      await page.route(/\/api\/(?:admin\/)?disputes\/[^?]+$/, async (route) =>
        route.fulfill({ json: { message: '', outcome: '', dispute: await read(route) } }),
      );
    },
    ...(act ? { act, window: true } : {}),
  };
}

const decides = async (page: Page) => {
  await page.locator('[data-slot="dispute-thread"]').waitFor();
  await page.locator('main [aria-pressed]').first().click();
  await page.locator('main textarea').last().fill(DECISION.reason);
  await page.getByRole('button', { name: /^Decide$|^সিদ্ধান্ত/ }).click();
  await overlay(page).waitFor();
};

/** Disputes for parties and admins. */
export const disputes = (demo: Demo) => {
  const { Active: active, Delivered: delivered } = demo.deals;
  const banner = (who: 'buyer' | 'seller', name: string): Scene =>
    patched(still(who, name, `/deal/${delivered}`), `/deals/${delivered}`, (deal: DealDetail) => ({
      ...deal,
      ...{ frozen: true, nextActionAt: null, dispute: { _id: ID, status: 'open' } },
      openDispute: { _id: ID, buyerTurn: 'offer', sellerTurn: null },
    }));
  return {
    '/deal/$dealId/dispute': [
      still('buyer', 'dispute-open', `/deal/${active}/dispute`),
      still('seller', 'dispute-open-seller', `/deal/${active}/dispute`),
      refused('buyer', 'dispute-open-refused', `/deal/${active}/dispute`),
      still('buyer', 'dispute-open-unpaid', `/deal/${demo.deals.Pending}/dispute`),
      banner('buyer', 'deal-disputed-buyer'),
      banner('seller', 'deal-disputed-seller'),
    ],
    '/disputes/$id': [
      room('buyer', 'dispute-buyer', delivered, {}),
      room('seller', 'dispute-seller', delivered, {}),
      room('seller', 'dispute-unanswered', delivered, { answeredAt: null, offers: [] }),
      room('buyer', 'dispute-offer', delivered, { offers: [] }, press('main aside button')),
      room('buyer', 'dispute-accept', delivered, {}, press('main [data-variant="seal"]')),
      room('buyer', 'dispute-decided', delivered, { status: 'decided', decision: DECISION, canAppeal: true }),
      room('seller', 'dispute-appealed', delivered, { status: 'appealed', decision: DECISION, appeal: APPEAL }),
      room('buyer', 'dispute-settled', delivered, {
        ...{ status: 'settled', decision: { ...DECISION, final: true, carriedOutAt: AT }, endedAt: AT, expectedBy: null },
        offers: [],
      }),
      room('buyer', 'dispute-closed', delivered, { status: 'closed', endedAt: AT, expectedBy: null, offers: [] }),
      still('buyer', 'dispute-missing', '/disputes/00000000-0000-7000-8000-000000000000'),
    ],
    '/admin/disputes': [
      still('admin', 'admin-disputes', '/admin/disputes'),
      queue('admin-disputes-queue', '/admin/disputes', delivered, {}),
    ],
    '/admin/disputes/$id': [
      queue('admin-dispute', `/admin/disputes/${ID}`, delivered, {}),
      queue('admin-dispute-decide', `/admin/disputes/${ID}`, delivered, {}, decides),
      queue('admin-dispute-appeal', `/admin/disputes/${ID}?tab=appealed`, delivered, {
        ...{ status: 'appealed', decision: DECISION, appeal: APPEAL },
      }),
    ],
  } satisfies Record<string, Scene[]>;
};
