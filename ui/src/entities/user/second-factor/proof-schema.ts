import * as z from 'zod/mini';
import type { Key } from '@/i18n';
import type { secondFactor } from '@/i18n/en/second-factor';

const required = (key: Key<typeof secondFactor>) => z.string().check(z.minLength(1, key));

/** The password, a code, or both; the unused one is "". */
export const proofSchema = (wanted: { password: boolean; code: boolean }) =>
  z.object({
    password: wanted.password ? required('password.required') : z.string(),
    code: wanted.code
      ? z.string().check(z.trim(), z.minLength(1, 'code.required' satisfies Key<typeof secondFactor>))
      : z.string(),
  });
export type ProofValues = { password: string; code: string };
