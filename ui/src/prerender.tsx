import { createMemoryHistory } from '@tanstack/react-router';
import { prerender } from 'react-dom/static';
import { App } from './app';
import { pageTextQuery, type TextName } from './features/pages/queries';
import { type Language, loadLanguage, translate } from './i18n';
import { common } from './i18n/en/common';
import { landing } from './i18n/en/landing';
import type { PageText } from './i18n/page-text';
import { keys } from './lib/queries';
import { queryClient } from './lib/query-client';
import { createAppRouter } from './router';

/** A public page as a visitor gets it. `routes` are those that draw it, for what its file must load. */
export type Written = { html: string; title: string; description: string; routes: string[] };

/** The pages that are the same for every visitor, and where the text of each lies (none for the landing page). */
export const PAGES: Readonly<Record<string, { text?: TextName; of?: (text: never) => PageText }>> = {
  '/': {},
  '/aboutus': { text: 'about' },
  '/ourleaders': { text: 'company', of: ({ leaders }: { leaders: PageText }) => leaders },
  '/papers': { text: 'company', of: ({ papers }: { papers: PageText }) => papers },
  '/privacy': { text: 'privacy' },
  '/terms': { text: 'terms' },
};

function headOf(path: string, language: Language): Pick<Written, 'title' | 'description'> {
  const { text: name, of } = PAGES[path] ?? {};
  if (!name) return { title: translate(landing, 'page'), description: translate(landing, 'hero.lede') };
  const loaded = queryClient.getQueryData(pageTextQuery(name, language).queryKey);
  const { title, lede } = of ? of(loaded as never) : (loaded as PageText);
  return { title: translate(common, 'title', { page: title }), description: lede };
}

/** Writes one page in one language. Only the build calls it. */
export async function write(path: string, language: Language): Promise<Written> {
  await loadLanguage(language);
  queryClient.setQueryData(keys.me, null);
  const router = createAppRouter(createMemoryHistory({ initialEntries: [path] }));
  await router.load();
  const failed = router.state.matches.find(({ status }) => status !== 'success');
  if (failed) throw new Error(`${path}: ${failed.routeId} is ${failed.status}`);
  // Whole and in its place: what React sends later it moves by scripts in the page, which the page's policy forbids.
  const { prelude } = await prerender(<App router={router} />, { progressiveChunkSize: Number.POSITIVE_INFINITY });
  const html = await new Response(prelude).text();
  if (/<script|<template/.test(html)) throw new Error(`${path} is not whole without scripts`);
  return { html, ...headOf(path, language), routes: router.state.matches.map(({ routeId }) => routeId) };
}
