import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { currentLanguage, type Language, useLanguage } from '@/i18n';
import type { Company, PageText } from '@/i18n/page-text';

type Texts = { about: PageText; company: Company; privacy: PageText; terms: PageText };
export type TextName = keyof Texts;
type TextOf<N extends TextName> = Texts[N];
type Loaders = { [N in TextName]: Record<Language, () => Promise<{ text: Texts[N] }>> };

const LOADERS: Loaders = {
  about: { en: () => import('@/i18n/en/pages/about'), bn: () => import('@/i18n/bn/pages/about') },
  company: { en: () => import('@/i18n/en/pages/company'), bn: () => import('@/i18n/bn/pages/company') },
  privacy: { en: () => import('@/i18n/en/pages/privacy'), bn: () => import('@/i18n/bn/pages/privacy') },
  terms: { en: () => import('@/i18n/en/pages/terms'), bn: () => import('@/i18n/bn/pages/terms') },
};

export const pageTextQuery = <N extends TextName>(name: N, language: Language) =>
  queryOptions({
    queryKey: ['page-text', name, language] as const,
    queryFn: async (): Promise<TextOf<N>> => (await LOADERS[name][language]()).text,
    staleTime: Infinity,
    networkMode: 'always', // cached files need no network
  });

export async function loadPageText(queryClient: QueryClient, name: TextName): Promise<void> {
  await queryClient.query(pageTextQuery(name, currentLanguage()));
}

/** On a change of language, the old text stays until the new one is loaded. */
export function usePageText<N extends TextName>(name: N): TextOf<N> {
  return useSuspenseQuery(pageTextQuery(name, useDeferredValue(useLanguage()))).data;
}
