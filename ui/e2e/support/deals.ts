import { expect } from '@playwright/test';
import { type Person, post } from './people';

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

/** The buyer makes a deal that the seller has yet to accept. */
export function offer(buyer: Person, seller: Person, terms: Terms): Promise<Deal> {
  return create(buyer, buyer, seller, terms);
}

/** The seller makes a deal. */
export function offerToBuyer(seller: Person, buyer: Person, terms: Terms): Promise<Deal> {
  return create(seller, buyer, seller, terms);
}

/** The seller accepts a deal made by the buyer. */
async function accept(seller: Person, { id }: Deal): Promise<void> {
  const answer = await seller.context.request.put(`/api/deals/accept/${id}`);
  expect(answer.ok(), await answer.text()).toBe(true);
}

/** Makes, accepts and pays a deal. */
export async function paid(buyer: Person, seller: Person, terms: Terms): Promise<Deal> {
  const deal = await offer(buyer, seller, terms);
  await accept(seller, deal);
  await post(buyer, `/deals/pay/${deal.id}`);
  return deal;
}
