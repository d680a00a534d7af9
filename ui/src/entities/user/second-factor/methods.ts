import type { SecondFactor } from '@/api/contract';
import { isApiError } from '@/lib/errors';

/** A way to prove the second factor, or with `mail` that the address is one's own. */
export type Method = 'totp' | 'passkey' | 'backup' | 'mail';

type Factor = Exclude<Method, 'mail'>;

const METHODS: readonly Factor[] = ['totp', 'passkey', 'backup'];

/** The ways that a refusal names which wants the second factor; null for any other failure. */
export function methodsWanted(error: unknown): Factor[] | null {
  if (!isApiError(error, 'second_factor_required')) return null;
  const named = String(error.params.methods ?? '').split(',');
  return METHODS.filter((method) => named.includes(method));
}

/** The ways that the user has. */
export function methodsOf({ totp, passkeys, backupCodesLeft }: SecondFactor): Factor[] {
  const has = { totp, passkey: passkeys.length > 0, backup: backupCodesLeft > 0 };
  return METHODS.filter((method) => has[method]);
}
