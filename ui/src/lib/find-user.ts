import { useEffect, useEffectEvent } from 'react';
import { useTexts } from '@/i18n';
import { findUser } from '@/i18n/en/find-user';
import { sayFailed } from './say-failed';
import { SHORTEST } from './shortest-search';
import { usePaused } from './use-paused';

/** What to ask for while a name is typed. `current` is false while the typing goes on. */
export function useTypedSearch(typed: string) {
  const wanted = typed.trim();
  const asked = usePaused(wanted);
  const long = wanted.length >= SHORTEST;
  return { asked, enabled: long && asked.length >= SHORTEST, long, current: asked === wanted };
}

export type Found<T> = {
  /** Null while there is nothing to choose from. */
  options: readonly T[] | null;
  /** The one line that says how the search stands. */
  status: string;
};

/** What a search for users has found so far; a failure is said, too. */
export function useFound<T>(
  { long, current }: ReturnType<typeof useTypedSearch>,
  { data, error }: { data: readonly T[] | undefined; error: Error | null },
): Found<T> {
  const t = useTexts(findUser);
  const say = useEffectEvent(() => sayFailed(t('failed'), error));
  useEffect(() => {
    if (error) say();
  }, [error]);
  if (!long) return { options: null, status: '' };
  if (!current || (!data && !error)) return { options: null, status: t('searching') };
  if (!data) return { options: null, status: t('failed') };
  return { options: data, status: data.length === 0 ? t('none') : t('found', { count: data.length }) };
}
