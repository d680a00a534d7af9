import * as z from 'zod/mini';
import type { Key } from '@/i18n';
import type { admin } from '@/i18n/en/admin';

const say = (key: Key<typeof admin>): Key<typeof admin> => key;

export const passwordSchema = z.object({ password: z.string().check(z.minLength(1, say('password.required'))) });
