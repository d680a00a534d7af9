import type { Counteroffer, DealDetail, HeldMoney, InviteOffer } from '@/api/contract';
import { TABS } from '@/features/deals/list/tabs';
import { photo } from '../support/chat';
import { expect } from '../support/test';
import type { Demo } from './cast';
import { covered, loading, opened, overlay, patched, refused, type Scene, still } from './scene';

const fileOf = (status: string) => status.toLowerCase().replaceAll(' ', '-');

/** Each of the demo's deals, as buyer and seller. */
const ofEachStatus = ({ deals }: Demo): Scene[] =>
  Object.entries(deals).flatMap(([status, id]) => [
    still('buyer', `deal-${fileOf(status)}-buyer`, `/deal/${id}`),
    still('seller', `deal-${fileOf(status)}-seller`, `/deal/${id}`),
  ]);

/** A payment that does not end, since the button asks nothing before it pays. */
const paying = (path: string): Scene => ({
  ...still('buyer', 'deal-pay', path),
  before: (page) => page.route('**/api/deals/pay/*', () => undefined),
  act: async (page) => {
    await page.locator(SEAL).filter({ visible: true }).first().click();
    await page.locator(`${SEAL}[aria-busy]`).filter({ visible: true }).first().waitFor();
  },
});

/** A deal of the demo in another state. */
function altered(name: string, id: string | undefined, over: Partial<DealDetail>): Scene[] {
  const change = (deal: DealDetail) => ({ ...deal, ...over });
  return (['buyer', 'seller'] as const).map((who) =>
    patched(still(who, `deal-${name}-${who}`, `/deal/${id}`), `/deals/${id}`, change),
  );
}

/** An offer of the demo with a counter-offer by its seller. */
function countered(id: string | undefined): Scene[] {
  const change = (deal: DealDetail): DealDetail => {
    const price = deal.price + 50;
    const fee = price / 50;
    const offer: Counteroffer = {
      ...{ _id: deal._id, madeBy: deal.seller._id, price, fee, payout: price - fee },
      description: `${deal.description.replace('two', 'three')}\nA version for dark pages.`,
      ...{ deliveryDuration: deal.deliveryDuration + 3, inspectionDays: deal.inspectionDays },
      text: 'The third round takes me two days more. I can begin on Sunday.',
      createdAt: deal.createdAt,
    };
    return { ...deal, counterofferBy: deal.seller._id, counteroffer: offer };
  };
  return (['buyer', 'seller'] as const).flatMap((who) =>
    [
      still(who, `deal-countered-${who}`, `/deal/${id}`),
      opened(who, `deal-counteroffer-${who}`, `/deal/${id}`, '[data-slot="propose"]'),
    ].map((scene) => patched(scene, `/deals/${id}`, change)),
  );
}

const UNACCEPTED = { acceptedAt: null } as const;
const SUSPENDED = { frozen: true, suspended: true, suspendedAt: '2026-01-02T04:00:00Z', sellerSuspended: true } as const;

/** The reader's own action; on a phone in the bar. */
const MOVE = 'main :is([data-slot="move-buttons"], [data-bottom-bar]) button';

/** The delivery dialog with a text and pictures, which the page keeps. */
function delivering(name: string, path: string): Scene {
  return {
    ...{ who: 'seller', name, path, window: true },
    before: (page) =>
      page.route('**/api/deals/*/pictures', (route) => {
        const picture = { _id: crypto.randomUUID(), url: '/api/images/none', width: 2_400, height: 1_600 };
        return route.fulfill({ status: 201, json: { picture } });
      }),
    act: async (page) => {
      await page.locator(MOVE).filter({ visible: true }).first().click();
      await overlay(page).locator('textarea').fill('The access is in your inbox. Screenshots of the settings are below.');
      const file = { name: 'a.png', mimeType: 'image/png', buffer: await photo(page) };
      await overlay(page).locator('input[type="file"]').setInputFiles([file, file, file]);
      await expect(overlay(page).locator('li img')).toHaveCount(3);
      await expect(overlay(page).locator('[data-slot="spinner"]')).toHaveCount(0);
    },
  };
}

/** The dialog of a request for changes, submitted empty. */
function changing(name: string, path: string): Scene {
  return {
    ...{ who: 'buyer', name, path, window: true },
    act: async (page) => {
      await page.locator('[data-slot="move-buttons"] [data-variant="outline"]').first().click();
      await page.locator('[role=dialog] form [type=submit]').click();
      await page.locator('[aria-invalid="true"]').waitFor();
    },
  };
}

const SEAL = 'main [data-variant="seal"]';

/** Deals and their actions. */
export const deals = (demo: Demo) => ({
  '/deals': [], // to /deal
  '/deal': [
    still('seller', 'deals-seller', '/deal'),
    ...TABS.map((tab) => still('buyer', `deals-${tab}`, `/deal?tab=${tab}`)),
    still('newcomer', 'deals-new', '/deal'),
    loading('buyer', 'deals', '/deal', '/deals/my-deals*'),
    opened('buyer', 'deal-create', '/deal', 'main [data-slot="button"]'),
    {
      ...{ who: 'buyer', name: 'deal-create-guest', path: '/deal', window: true },
      act: async (page) => {
        await page.locator('main [data-slot="button"]').first().click();
        await overlay(page).locator('[data-slot="way"]').first().click();
      },
    },
    opened('seller', 'deal-link-share', '/deal?tab=pending', '[data-slot="invite"] button'),
    still('seller', 'deals-links', '/deal?tab=pending'),
    {
      ...{ who: 'buyer', name: 'deal-create-refused', path: '/deal', window: true },
      act: async (page) => {
        await page.locator('main [data-slot="button"]').first().click();
        await overlay(page).locator('[data-slot="way"]').last().click();
        await overlay(page).locator('[type=submit]').click();
        await page.locator('[aria-invalid="true"]').first().waitFor();
      },
    },
  ] satisfies Scene[],
  '/d/$code': [
    still('visitor', 'offer', `/d/${demo.invite}`),
    still('buyer', 'offer-member', `/d/${demo.invite}`),
    still('seller', 'offer-own', `/d/${demo.invite}`),
    patched(still('visitor', 'offer-buys', `/d/${demo.invite}`), `/invites/${demo.invite}`, (offer: InviteOffer) => ({
      ...offer,
      role: 'Buyer',
    })),
    still('visitor', 'offer-gone', '/d/k7m2p9qa4x'),
  ] satisfies Scene[],
  '/held/$code': [
    still('visitor', 'held', `/held/${demo.proof}`),
    patched(still('visitor', 'held-ended', `/held/${demo.proof}`), `/held/${demo.proof}`, (held: HeldMoney) => ({
      ...held,
      status: 'Completed',
      closedAt: held.at,
    })),
    still('visitor', 'held-gone', '/held/k7m2p9qa4x'),
  ] satisfies Scene[],
  '/check/$code': [still('visitor', 'check', `/check/${demo.receipt}`), still('visitor', 'check-unknown', '/check/k7m2p9qa4x')],
  '/deal/$dealId/receipt': [
    still('buyer', 'deal-paper', `/deal/${demo.deals.Completed}/receipt`),
    still('buyer', 'deal-paper-unpaid', `/deal/${demo.deals.Pending}/receipt`),
  ],
  '/deal/$dealId': [
    ...ofEachStatus(demo),
    ...altered('unaccepted', demo.deals.Pending, UNACCEPTED),
    ...altered('unaccepted-paid', demo.deals.Active, UNACCEPTED),
    ...countered(demo.deals.Pending),
    ...altered('blocked', demo.deals.Pending, { ...UNACCEPTED, sellerSuspended: true }),
    ...altered('suspended', demo.deals.Active, SUSPENDED),
    still('salma', 'deal-requested-buyer', `/deal/${demo.requested}`),
    still('tanvir', 'deal-requested-seller', `/deal/${demo.requested}`),
    loading('buyer', 'deal', `/deal/${demo.deals.Active}`, `/deals/${demo.deals.Active}`),
    paying(`/deal/${demo.deals.Pending}`),
    opened('buyer', 'deal-release', `/deal/${demo.deals.Delivered}`, SEAL),
    opened('buyer', 'deal-trouble', `/deal/${demo.deals.Active}`, '[data-slot="trouble"]'),
    delivering('deal-deliver', `/deal/${demo.deals.Active}`),
    changing('deal-changes', `/deal/${demo.deals.Delivered}`),
    covered('salma', 'deal-review', `/deal/${demo.unreviewed}`),
  ],
  '/support': [
    still('buyer', 'support', '/support'),
    still('newcomer', 'support-new', '/support'),
    still('buyer', 'support-deal', `/support?dealId=${demo.deals.Active}`),
    refused('buyer', 'support-deal-refused', `/support?dealId=${demo.deals.Active}`),
  ],
});
