import type { DealInvite, InviteOffer } from '@/api/contract';

export const CODE = 'k7m2p9qa4x';

/** The offer of a link by tanvir, the seller. */
export function anOffer(over: Partial<InviteOffer> = {}): InviteOffer {
  return {
    maker: { _id: 'u-tanvir', username: 'tanvir', profilePic: '', isStaff: false },
    role: 'Seller',
    successScore: 96,
    completedDeals: 24,
    finishedDeals: 25,
    averageRating: 4.8,
    price: 200,
    fee: 4,
    payout: 196,
    description: 'Ranna Ghor 24\nA cooking channel.',
    deliveryDuration: 7,
    inspectionDays: 3,
    expiresAt: '2026-11-15T04:02:00Z',
    isOwn: false,
    dealId: null,
    ...over,
  };
}

/** An open link of the user. */
export function anInvite(over: Partial<DealInvite> = {}): DealInvite {
  return {
    _id: '0198c0de-0000-7000-8000-000000000009',
    code: CODE,
    role: 'Seller',
    price: 200,
    description: 'Ranna Ghor 24',
    deliveryDuration: 7,
    inspectionDays: 3,
    createdAt: '2026-11-08T04:02:00Z',
    expiresAt: '2126-11-15T04:02:00Z',
    ...over,
  };
}
