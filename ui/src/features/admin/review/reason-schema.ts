import * as z from 'zod/mini';

export const optionalReason = z.object({ reason: z.string().check(z.trim()) });

/** The message is a key that each dialog replaces with its own text. */
export const requiredReason = z.object({ reason: z.string().check(z.trim(), z.minLength(1, 'missing')) });
