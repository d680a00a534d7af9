import * as z from 'zod/mini';
import type { Key } from '@/i18n';
import type { dispute } from '@/i18n/en/dispute';
import { lengthOf } from '@/lib/rules';

const say = (key: Key<typeof dispute>) => key;

/** In characters, as the server counts them. */
export const MAX_LENGTH = 2_000;
export const MAX_LINKS = 5;
const MAX_LINK = 500;

export const linksOf = (typed: string): string[] => typed.split(/\s+/).filter((link) => link !== '');

function isLink(link: string): boolean {
  try {
    return new URL(link).protocol === 'https:' && lengthOf(link) <= MAX_LINK;
  } catch {
    return false;
  }
}

const text = z.string().check(
  z.trim(),
  z.minLength(1, { error: say('text.missing'), abort: true }),
  z.refine((typed) => lengthOf(typed) <= MAX_LENGTH, say('text.long')),
);

const links = z.string().check(
  z.trim(),
  z.refine((typed) => linksOf(typed).length <= MAX_LINKS, { error: say('links.many'), abort: true }),
  z.refine((typed) => linksOf(typed).every(isLink), say('links.bad')),
);

/** docs/rules.md#disputes */
export const openSchema = z.object({ reason: z.string().check(z.minLength(1, say('reason.missing'))), text, links });
export const answerSchema = z.object({ text, links });
export const messageSchema = z.object({ text });
export const appealSchema = z.object({ text });
