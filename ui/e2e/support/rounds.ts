import type { Access } from './routes';
import type { DemoUser, Look } from './test';

/** One of the looks in which every route is visited. */
export type Round = {
  look: Required<Pick<Look, 'language' | 'theme' | 'width'>>;
  /** The demo's many deals are divided among the rounds. */
  share: { part: number; of: number };
  /** Who visits the pages of each kind. */
  eyes: Record<Access, DemoUser | 'visitor'>;
  /** Whether axe checks the pages. */
  axe: boolean;
  /** The viewport of the same window at 200 % zoom, where that is checked. */
  zoomed?: { width: number; height: number };
};

// Every route is visited at each width, in each theme and in each language, and checked by axe once in each theme.
export const ROUNDS = [
  {
    look: { language: 'bn', theme: 'dark', width: 320 },
    share: { part: 0, of: 3 },
    eyes: { visitors: 'visitor', everybody: 'visitor', users: 'buyer', admins: 'admin' },
    axe: true,
  },
  {
    look: { language: 'en', theme: 'dark', width: 768 },
    share: { part: 1, of: 3 },
    eyes: { visitors: 'visitor', everybody: 'admin', users: 'seller', admins: 'admin' },
    axe: false,
  },
  {
    look: { language: 'en', theme: 'light', width: 1280 },
    share: { part: 2, of: 3 },
    eyes: { visitors: 'visitor', everybody: 'buyer', users: 'buyer', admins: 'admin' },
    axe: true,
    zoomed: { width: 640, height: 450 },
  },
] as const satisfies readonly Round[];

export const nameOf = ({ look: { language, theme, width } }: Round): string => `${language}-${theme}-${width}`;
