import type { Page } from '@playwright/test';
import type { DealDetail, DealDispute, DisputeSummary } from '@/api/contract';
import type { Demo } from './cast';
import { overlay, patched, refused, type Scene, still } from './scene';

const AT = '2026-01-02T04:00:00Z';
const LATER = '2099-01-16T04:00:00Z';
const ID = '00000000-0000-7000-8000-0000000000d1';
const ADMIN = { _id: '00000000-0000-7000-8000-00000000000a', username: 'nadia', profilePic: '', isStaff: true };

const OFFER = { _id: 'o-1', by: 'seller', buyerGets: 100, sellerGets: 98, fee: 2, status: 'open', createdAt: AT } as const;
const DECISION = {
  ...{ _id: 'v-1', by: ADMIN, buyerGets: 100, sellerGets: 98, fee: 2, decidedAt: AT, dueAt: LATER, carriedOutAt: null },
  ...{ acceptedByBuyer: false, acceptedBySeller: true, final: false },
  reason: 'The channel was handed over, but a third of its videos are private. Half the price is fair to both.',
};
const APPEAL = {
  by: 'seller',
  text: 'The videos were private when the deal was made, as the description says.',
  at: AT,
} as const;

/** A dispute about a deal of the demo. */
function aDispute({ _id, buyer, seller, price, status }: DealDetail, over: Partial<DealDispute>): DealDispute {
  const said = { at: AT, links: [], pictures: [], offer: null };
  return {
    ...{ _id: ID, deal: { _id, title: 'Cooking channel, 41,200 subscribers', price, status: status as 'Active' }, buyer, seller },
    ...{ openedBy: 'buyer', reason: 'not_as_agreed', status: 'open', createdAt: AT, answerDueAt: LATER, answeredAt: AT },
    ...{ expectedBy: LATER, endedAt: null, decision: null, claimedBy: null, claimedUntil: null, canAppeal: false, appeal: null },
    offers: [OFFER],
    thread: [
      {
        ...{ ...said, _id: 't-1', author: buyer, role: 'buyer', kind: 'opened', links: ['https://example.com/channel/videos'] },
        text: 'A third of the videos are private, and the page on Facebook has another owner.',
      },
      {
        ...{ ...said, _id: 't-2', author: seller, role: 'seller', kind: 'answer' },
        text: 'The page was handed over on Tuesday. The videos were private before; I can make them public.',
      },
      { ...said, _id: 't-3', author: ADMIN, role: 'admin', kind: 'message', text: 'Which videos were agreed on?' },
      { ...said, _id: 't-4', author: seller, role: 'seller', kind: 'offer', text: '', offer: OFFER },
    ],
    ...over,
  };
}

/** The page of a dispute about a deal of the demo, as one of its parties sees it. */
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
  await page.locator(selector).first().click();
  await overlay(page).waitFor();
};

const KARIM = { _id: '00000000-0000-7000-8000-00000000000c', username: 'karim', profilePic: '', isStaff: false };
const NUSRAT = { ...KARIM, _id: '00000000-0000-7000-8000-00000000000d', username: 'nusrat' };

/** A dispute between two people that the demo does not have, as an admin sees it. */
const between = (over: Partial<DealDispute>): DealDispute =>
  aDispute({ _id: 'd-1', buyer: NUSRAT, seller: KARIM, price: 200, status: 'Delivered' } as DealDetail, over);

function queue(name: string, path: string, rows: DealDispute[], act?: Scene['act']): Scene {
  return {
    ...still('admin', name, path),
    before: async (page) => {
      await page.route('**/api/admin/disputes*', (route) => {
        const disputes: DisputeSummary[] = rows;
        return route.fulfill({ json: { disputes, success: true, page: 1, pages: 1, total: rows.length } });
      });
      await page.route(/\/api\/(?:admin\/)?disputes\/[^?]+$/, (route) =>
        route.fulfill({ json: { message: '', outcome: '', dispute: rows[0] } }),
      );
    },
    ...(act ? { act, window: true } : {}),
  };
}

const decides = async (page: Page) => {
  await page.locator('[data-slot="dispute-thread"]').waitFor();
  await page.keyboard.press('d');
  await page.locator('[role=alertdialog]').waitFor();
};

/** Disputes, as their parties and the admins see them. */
export const disputes = (demo: Demo) => {
  const { Active: active, Delivered: delivered } = demo.deals;
  const banner = (who: 'buyer' | 'seller', name: string): Scene =>
    patched(still(who, name, `/deal/${delivered}`), `/deals/${delivered}`, (deal: DealDetail) => ({
      ...deal,
      ...{ frozen: true, nextActionAt: null, dispute: { _id: ID, status: 'open' } },
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
      queue('admin-disputes-queue', '/admin/disputes', [between({})]),
      queue('admin-dispute', `/admin/disputes?review=${ID}`, [between({})]),
      queue('admin-dispute-decide', `/admin/disputes?review=${ID}`, [between({})], decides),
      queue('admin-dispute-appeal', `/admin/disputes?tab=appealed&review=${ID}`, [
        between({ status: 'appealed', decision: DECISION, appeal: APPEAL }),
      ]),
    ],
  } satisfies Record<string, Scene[]>;
};
