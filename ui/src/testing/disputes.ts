import { HttpResponse, http } from 'msw';
import type { DealDispute, DisputeDecision, DisputeOffer } from '@/api/contract';
import type { Outcome } from '@/i18n/sentences.gen';
import { aDetail, DELIVERED, held, serveDeal } from './deals';
import { doneAs } from './outcomes';
import { aDeal, server } from './server';

const { buyer, seller } = aDeal();
export const nadiaParty = { _id: 'u-nadia', username: 'nadia', profilePic: '', isStaff: true };
export const LATER = '2126-11-20T04:00:00Z';

export function anOffer(over: Partial<DisputeOffer> = {}): DisputeOffer {
  return {
    ...{ _id: 'o-1', by: 'seller', buyerGets: 200, sellerGets: 274.4, fee: 5.6 },
    ...{ status: 'open', createdAt: '2026-11-17T05:00:00Z' },
    ...over,
  };
}

/** Nadia gives the buyer $200 of $480. */
export function aDecision(over: Partial<DisputeDecision> = {}): DisputeDecision {
  return {
    ...{ _id: 'v-1', by: nadiaParty, buyerGets: 200, sellerGets: 274.4, fee: 5.6, reason: 'A part of it was delivered.' },
    ...{ decidedAt: '2026-11-18T05:00:00Z', dueAt: LATER, carriedOutAt: null },
    ...{ acceptedByBuyer: false, acceptedBySeller: false, final: false },
    ...over,
  };
}

/** A dispute opened by Nusrat (buyer) against Tanvir (seller). */
export function aDispute(over: Partial<DealDispute> = {}): DealDispute {
  return {
    ...{ _id: 'x-1', deal: { _id: 'd-1', title: 'Ranna Ghor 24', price: 480, status: 'Delivered' }, buyer, seller },
    ...{ openedBy: 'buyer', reason: 'not_as_agreed', status: 'open', createdAt: '2026-11-16T10:00:00Z' },
    ...{ answerDueAt: LATER, answeredAt: null, expectedBy: LATER, endedAt: null },
    ...{ decision: null, claimedBy: null, claimedUntil: null, offers: [], appeal: null, canAppeal: false },
    thread: [
      {
        ...{ _id: 't-1', at: '2026-11-16T10:00:00Z', author: buyer, role: 'buyer', kind: 'opened', pictures: [], offer: null },
        ...{ text: 'The page has another owner.', links: ['https://example.com/page'] },
      },
    ],
    ...over,
  };
}

/** The server's state, which calls of the page and tests change. */
export const room = { dispute: aDispute() };

/** Serves the dispute and its deal. Call before each test. */
export function serveDispute(): void {
  serveDeal();
  room.dispute = aDispute();
  held.deal = aDetail({
    ...{ ...DELIVERED, frozen: true, dispute: { _id: 'x-1', status: 'open' } },
    openDispute: { _id: 'x-1', buyerTurn: null, sellerTurn: 'answer' },
  });
  server.use(http.get('*/api/disputes/x-1', () => HttpResponse.json({ dispute: room.dispute })));
}

/** The response to a change, which the server applies. */
export function disputeChange(outcome: Outcome, over: Partial<DealDispute>, status = 200) {
  room.dispute = { ...room.dispute, ...over };
  return HttpResponse.json({ ...doneAs(outcome), dispute: room.dispute }, { status });
}
