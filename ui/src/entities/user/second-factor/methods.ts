import { queryOptions } from '@tanstack/react-query';
import type { SecondFactor } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import { isApiError } from '@/lib/errors';

/** A proof of the second factor or, with `mail`, of the address. */
export type Method = 'totp' | 'passkey' | 'backup' | 'mail';

export type Factor = Exclude<Method, 'mail'>;

const METHODS: readonly Factor[] = ['totp', 'passkey', 'backup'];

/** The methods named by a refusal that asks for the second factor; null for other failures. */
export function requiredMethods(error: unknown): Factor[] | null {
  if (!isApiError(error, 'second_factor_required')) return null;
  const named = String(error.params.methods ?? '').split(',');
  return METHODS.filter((method) => named.includes(method));
}

export function methodsOf({ totp, passkeys, backupCodesLeft }: SecondFactor): Factor[] {
  const has = { totp, passkey: passkeys.length > 0, backup: backupCodesLeft > 0 };
  return METHODS.filter((method) => has[method]);
}

export const options = () => send(api.POST('/auth/confirm/options'));

export const secondFactorQuery = queryOptions({
  queryKey: keys.secondFactor,
  queryFn: ({ signal }) => send(api.GET('/auth/second-factor', { signal })),
  meta: { quiet: true },
});
