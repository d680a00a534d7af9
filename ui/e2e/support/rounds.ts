import type { Look } from './test';

/** A look in which every route is visited. */
export type Round = {
  look: Required<Pick<Look, 'language' | 'theme' | 'width'>>;
  /** Each page has to fit these, too. */
  viewports: readonly { width: number; height: number }[];
};

const TABLET = { width: 768, height: 1_024 };
/** The nightly window at 200 % zoom. */
const ZOOMED = { width: 640, height: 450 };

/**
 * For each change: the narrowest window, the longer texts and the theme with less contrast find
 * most problems.
 */
export const DAILY: Round = { look: { language: 'bn', theme: 'dark', width: 320 }, viewports: [TABLET] };

export const NIGHTLY: Round = { look: { language: 'en', theme: 'light', width: 1280 }, viewports: [TABLET, ZOOMED] };

export const nameOf = ({ look: { language, theme, width } }: Round): string => `${language}-${theme}-${width}`;
