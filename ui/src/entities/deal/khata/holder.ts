import type { DealStatus } from '@/api/contract';
import { isOpen } from '../status';

export type Holder = 'buyer' | 'amanat' | 'seller';

export function holderOf(status: DealStatus): Holder {
  if (status === 'Completed') return 'seller';
  return isOpen(status) ? 'amanat' : 'buyer';
}

/** Reports whether the deal was cancelled after it had been paid. */
export function wasRefunded(deal: { status: DealStatus; activatedAt: string | null }): boolean {
  return deal.status.startsWith('Cancelled') && deal.activatedAt !== null;
}

type Step = 'past' | 'now' | 'next' | 'still';
export type ColumnState = { step: Step; crossed: boolean };

/**
 * The states of the three columns: `past` had the money, `now` has it, `next` may get it, `still`
 * never will. `crossed`: the money has passed the column's left rule, which is then solid.
 */
export function columnStates(holder: Holder, returned = false): [ColumnState, ColumnState, ColumnState] {
  if (returned)
    return [
      { step: 'now', crossed: false },
      { step: 'past', crossed: true },
      { step: 'still', crossed: false },
    ];
  if (holder === 'buyer')
    return [
      { step: 'now', crossed: false },
      { step: 'next', crossed: false },
      { step: 'next', crossed: false },
    ];
  if (holder === 'amanat')
    return [
      { step: 'past', crossed: false },
      { step: 'now', crossed: true },
      { step: 'next', crossed: false },
    ];
  return [
    { step: 'past', crossed: false },
    { step: 'past', crossed: true },
    { step: 'now', crossed: true },
  ];
}

export const HOLDERS = ['buyer', 'amanat', 'seller'] as const satisfies readonly Holder[];

export const TONES: Record<Holder, string> = {
  buyer: 'bg-holder-own text-holder-own-foreground',
  amanat: 'bg-seal text-seal-foreground',
  seller: 'bg-holder-paid text-holder-paid-foreground',
};
