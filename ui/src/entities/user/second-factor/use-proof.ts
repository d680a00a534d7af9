import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import * as z from 'zod/mini';
import type { PasskeyOptions } from '@/api/contract';
import { useDraftForm } from '@/hooks/use-draft-form';
import { type Key, useTexts } from '@/i18n';
import { secondFactor } from '@/i18n/en/second-factor';
import { isApiError } from '@/lib/errors';
import type { LazyText } from '@/lib/query-client';
import type { Method } from './methods';
import { askPasskey, knowsPasskeys } from './passkey';

const required = (key: Key<typeof secondFactor>) => z.string().check(z.minLength(1, key));

/** The password, a code, or both; the unused one is "". */
const proofSchema = (wanted: { password: boolean; code: boolean }) =>
  z.object({
    password: wanted.password ? required('password.required') : z.string(),
    code: wanted.code
      ? z.string().check(z.trim(), z.minLength(1, 'code.required' satisfies Key<typeof secondFactor>))
      : z.string(),
  });
type ProofValues = { password: string; code: string };

/** The request body: the password, a code or a passkey's response. */
export type Proof = { password?: string; code?: string; credential?: Record<string, unknown> };

export type ProofCalls<T> = {
  /** The user's methods; none if the password is enough. */
  methods: readonly Method[];
  password?: boolean;
  options: () => Promise<PasskeyOptions>;
  prove: (proof: Proof) => Promise<T>;
  success?: LazyText;
  onDone: (answer: T) => void;
  onRefused?: (error: unknown) => void;
};

const fieldsOf = (error: unknown): Record<string, string> => (isApiError(error) ? error.fields : {});

const EMPTY: ProofValues = { password: '', code: '' };

export function useProof<T>({ methods, password = false, options, prove, success, onDone, onRefused }: ProofCalls<T>) {
  const t = useTexts(secondFactor);
  const usable = knowsPasskeys() ? methods : methods.filter((method) => method !== 'passkey');
  const [chosen, setChosen] = useState<Method | null>(null);
  const way = chosen ?? usable[0] ?? null;
  const codes = way !== null && way !== 'passkey';
  const proof = useMutation({
    mutationFn: async ({ by, ...values }: ProofValues & { by: Method | null }) => {
      const known = password ? { password: values.password } : {};
      if (by === null) return prove(known);
      if (by !== 'passkey') return prove({ ...known, code: values.code });
      return prove({ ...known, credential: await askPasskey(await options()) });
    },
    // Keeps neither password nor code in memory.
    gcTime: 0,
    meta: { quiet: true, ...(success && { success }) },
    onSuccess: onDone,
    onError: onRefused,
  });
  const { form, submit, errorOf } = useDraftForm({
    schema: proofSchema({ password, code: codes }),
    t,
    empty: EMPTY,
    toast: null,
    mutation: proof,
    onSubmit: (values, { setFocus }) =>
      proof.mutateAsync(
        { ...values, by: way },
        {
          onError: (error) => {
            const at = password && (!codes || fieldsOf(error).password) ? 'password' : codes ? 'code' : null;
            if (at) setFocus(at, { shouldSelect: true });
          },
        },
      ),
  });
  const provePasskey = async () => {
    if (proof.isPending || (password && !(await form.trigger('password', { shouldFocus: true })))) return;
    form.clearErrors('code');
    proof.mutate({ ...form.getValues(), by: 'passkey' });
  };
  const switchTo = (other: 'totp' | 'backup') => {
    form.resetField('code');
    proof.reset();
    flushSync(() => setChosen(other));
    form.setFocus('code');
  };
  return { form, submit, errorOf, proof, way, usable, provePasskey, switchTo };
}
