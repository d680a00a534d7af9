import { expect } from '@playwright/test';
import { type Person, post } from './people';

/** A deal and its page. */
export type Deal = { id: string; path: string };

type Terms = { price: number; description?: string; days?: number; check?: number };

async function create(maker: Person, buyer: Person, seller: Person, terms: Terms): Promise<Deal> {
  const { price, description = 'A page for a bookshop', days = 7, check = 3 } = terms;
  const body = {
    ...{ price, description, deliveryDuration: days, inspectionDays: check },
    ...{ buyerId: buyer.id, sellerId: seller.id },
  };
  const { _id: id } = await post(maker, '/deals/create', body);
  return { id, path: `/deal/${id}` };
}

/** Offers a deal, which the buyer makes and the seller has yet to accept. */
export function offer(buyer: Person, seller: Person, terms: Terms): Promise<Deal> {
  return create(buyer, buyer, seller, terms);
}

/** Offers a deal, which the seller makes. */
export function offerToBuyer(seller: Person, buyer: Person, terms: Terms): Promise<Deal> {
  return create(seller, buyer, seller, terms);
}

/** The seller agrees to a deal that the buyer made. */
async function accept(seller: Person, { id }: Deal): Promise<void> {
  const answer = await seller.context.request.put(`/api/deals/accept/${id}`);
  expect(answer.ok(), await answer.text()).toBe(true);
}

/** Offers a deal, which the seller accepts, and pays for it. */
export async function paid(buyer: Person, seller: Person, terms: Terms): Promise<Deal> {
  const deal = await offer(buyer, seller, terms);
  await accept(seller, deal);
  await post(buyer, `/deals/pay/${deal.id}`);
  return deal;
}
