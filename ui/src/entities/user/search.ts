import { useEffect, useEffectEvent } from 'react';
import { useDebouncedValue } from '@/hooks/use-debounced-value';
import { useTexts } from '@/i18n';
import { findUser } from '@/i18n/en/find-user';
import { notifyFailure } from '@/lib/notify-failure';
import { MIN_SEARCH_LENGTH } from './search-limits';

/** The name to search for. `current` is false while the user is typing. */
export function useUserSearch(typed: string) {
  const wanted = typed.trim();
  const asked = useDebouncedValue(wanted);
  const long = wanted.length >= MIN_SEARCH_LENGTH;
  return { asked, enabled: long && asked.length >= MIN_SEARCH_LENGTH, long, current: asked === wanted };
}

export type SearchResults<T> = {
  /** Null while there are no options. */
  options: readonly T[] | null;
  status: string;
};

export function useSearchResults<T>(
  { long, current }: ReturnType<typeof useUserSearch>,
  { data, error }: { data: readonly T[] | undefined; error: Error | null },
): SearchResults<T> {
  const t = useTexts(findUser);
  const say = useEffectEvent(() => notifyFailure(t('failed'), error));
  useEffect(() => {
    if (error) say();
  }, [error]);
  if (!long) return { options: null, status: '' };
  if (!current || (!data && !error)) return { options: null, status: t('searching') };
  if (!data) return { options: null, status: t('failed') };
  return { options: data, status: data.length === 0 ? t('none') : t('found', { count: data.length }) };
}
