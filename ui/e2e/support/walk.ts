import type { Locator, Page } from '@playwright/test';
import { auth as authBn, next as nextBn } from '@/i18n/bn/auth';
import { chat as chatBn } from '@/i18n/bn/chat';
import { invite as inviteBn } from '@/i18n/bn/deal-links';
import { deals as dealsBn } from '@/i18n/bn/deals';
import { khata as khataBn } from '@/i18n/bn/khata';
import { posts as postsBn } from '@/i18n/bn/posts';
import { wallet as walletBn } from '@/i18n/bn/wallet';
import { auth, next } from '@/i18n/en/auth';
import { chat } from '@/i18n/en/chat';
import { invite } from '@/i18n/en/deal-links';
import { deals } from '@/i18n/en/deals';
import { khata } from '@/i18n/en/khata';
import { posts } from '@/i18n/en/posts';
import { wallet } from '@/i18n/en/wallet';
import { DEMO_PASSWORD } from './people';

/** Counts interactions: every tap, field and choice is one. */
export function counting() {
  const done: string[] = [];
  const note = async (what: string, act: Promise<unknown>) => {
    done.push(what);
    await act;
  };
  return {
    tap: (what: string, target: Locator) => note(`tap ${what}`, target.click()),
    type: (what: string, target: Locator, text: string) => note(`type ${what}`, target.fill(text)),
    /** Types unless the field is filled in already. */
    complete: async (what: string, target: Locator, text: string) => {
      if ((await target.inputValue()) === '') await note(`type ${what}`, target.fill(text));
    },
    back: (page: Page) => note('Back', page.goBack()),
    table: () => done.map((what, index) => `${String(index + 1).padStart(2)}  ${what}`).join('\n'),
    count: () => done.length,
  };
}

export type Walk = ReturnType<typeof counting>;

export const WORDS = {
  en: {
    ...{ auth: auth.en, next: next.en, invite: invite.en, deals: deals.en, khata: khata.en, posts: posts.en },
    ...{ chat: chat.en, wallet: wallet.en, sum: '$25.00' },
  },
  bn: {
    ...{ auth: authBn, next: nextBn, invite: inviteBn, deals: dealsBn, khata: khataBn, posts: postsBn },
    ...{ chat: chatBn, wallet: walletBn, sum: '$২৫.০০' },
  },
} as const;

export type Words = (typeof WORDS)[keyof typeof WORDS];

/** A text with its parameters. */
export const said = (text: string, params: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole);

/** A visible button. */
export const button = (page: Page, of: string | RegExp) =>
  page.getByRole('button', { name: of }).filter({ visible: true }).first();

/** A visible link. */
export const link = (page: Page, of: string | RegExp) => page.getByRole('link', { name: of }).filter({ visible: true }).first();

export async function signUp(walk: Walk, page: Page, { auth: t }: Words, name: string) {
  await walk.type('username', page.getByLabel(t.username), name);
  await walk.type('email', page.getByLabel(t.email), `${name}@example.com`);
  await walk.type('password', page.getByLabel(t.password, { exact: true }), DEMO_PASSWORD);
  await walk.tap('Sign up', button(page, t['signup.submit']));
}
