import * as z from 'zod/mini';

/** Words that may be left out. */
export const optionalReason = z.object({ reason: z.string().check(z.trim()) });

/** Words that are needed. Each question has a text of its own for those that are missing. */
export const requiredReason = z.object({ reason: z.string().check(z.trim(), z.minLength(1, 'missing')) });
