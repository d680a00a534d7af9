import { oneOf, searchParams } from './search-params';

/** What a visitor can be about to do on a page: write to the person, or make a deal. */
const STEPS = ['contact', 'deal'] as const;
export type NextStep = (typeof STEPS)[number];

/** The `validateSearch` of a page where it goes on after the sign-up (`useNextStep`). */
export const nextSearch = searchParams({ next: oneOf(STEPS) });

/** The search of /signup or /login for a visitor who comes back to this page, and does there what they were about to do. */
export const comingBack = (path: string, next?: NextStep) => ({ redirect: next ? `${path}?next=${next}` : path });
