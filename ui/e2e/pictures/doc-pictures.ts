import type { Look } from '../support/test';

/** A picture of docs/screenshots: the scene and its viewport. */
export type DocPicture = {
  file: string;
  scene: string;
  look: Required<Pick<Look, 'language' | 'theme' | 'width'>>;
  height: number;
};

const wide = (file: string, scene: string, theme: 'light' | 'dark' = 'light'): DocPicture => ({
  ...{ file, scene, height: 860 },
  look: { language: 'en', theme, width: 1280 },
});

const phone = (file: string, scene: string, language: 'en' | 'bn', theme: 'light' | 'dark' = 'light'): DocPicture => ({
  ...{ file, scene, height: 760 },
  look: { language, theme, width: 360 },
});

/** The pictures of README.md: wide ones in pairs, then a row of phones. */
export const DOC_PICTURES: readonly DocPicture[] = [
  wide('landing', 'landing'),
  wide('marketplace', 'explore'),
  wide('post', 'post-buyer'),
  wide('deal', 'deal-delivered-buyer'),
  wide('dashboard', 'dashboard'),
  wide('deposit', 'deposit-filled'),
  wide('inbox', 'thread', 'dark'),
  wide('admin', 'admin-dashboard', 'dark'),
  wide('dispute', 'dispute-buyer'),
  wide('dispute-decide', 'admin-dispute-decide', 'dark'),
  phone('phone-landing', 'landing', 'bn'),
  phone('phone-deal', 'deal-delivered-buyer', 'bn'),
  phone('phone-marketplace', 'explore', 'en'),
  phone('phone-release', 'deal-release', 'en', 'dark'),
];
