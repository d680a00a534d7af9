import * as z from 'zod/mini';
import type { Key } from '@/i18n';
import type { ownData } from '@/i18n/en/own-data';

const WRONG: Key<typeof ownData> = 'ask.wrong';

/** The exact username (docs/rules.md#close-account). */
export const closeSchema = (username: string) =>
  z.object({
    username: z.string().check(
      z.trim(),
      z.refine((typed) => typed === username, WRONG),
    ),
  });
