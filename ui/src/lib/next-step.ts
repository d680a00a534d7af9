import { oneOf, searchParams } from './search-params';

/** What a visitor was about to do: write to a person, make a deal, or save a post or search. */
const STEPS = ['contact', 'deal', 'save'] as const;
export type NextStep = (typeof STEPS)[number];

/** The `validateSearch` of pages that continue after the sign-up (`useNextStep`). */
export const nextSearch = searchParams({ next: oneOf(STEPS) });

/** The search of /signup or /login that returns the visitor to this page and continues there. */
export const comingBack = (path: string, next?: NextStep) => ({ redirect: next ? `${path}?next=${next}` : path });
