import type { Look } from './test';

/** A look in which every route is visited. */
export type Round = {
  look: Required<Pick<Look, 'language' | 'theme' | 'width'>>;
  axe: boolean;
  /** The viewport of the same window at 200 % zoom. */
  zoomed?: { width: number; height: number };
};

/**
 * For each change: the narrowest window, the longer texts and the theme with less contrast find
 * most problems.
 */
export const DAILY: Round = { look: { language: 'bn', theme: 'dark', width: 320 }, axe: true };

export const NIGHTLY: readonly Round[] = [
  { look: { language: 'en', theme: 'dark', width: 768 }, axe: false },
  { look: { language: 'en', theme: 'light', width: 1280 }, axe: true, zoomed: { width: 640, height: 450 } },
];

export const nameOf = ({ look: { language, theme, width } }: Round): string => `${language}-${theme}-${width}`;
