import type { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory } from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { prerender } from 'react-dom/static';
import { App } from '@/app';
import { keys } from '@/entities/keys';
import { pageTextQuery, type TextName } from '@/features/pages/queries';
import { MemberFrame } from '@/features/shell/member-frame';
import { type Language, loadLanguage, translate } from '@/i18n';
import { auth } from '@/i18n/en/auth';
import { common } from '@/i18n/en/common';
import { landing } from '@/i18n/en/landing';
import { posts } from '@/i18n/en/posts';
import type { PageText } from '@/i18n/page-text';
import { createQueryClient } from '@/lib/query-client';
import { createAppRouter } from '@/router';

/** A prerendered page. `routes` tell which files it must load. */
export type Written = { html: string; title: string; description: string; routes: string[] };

type Head = Pick<Written, 'title' | 'description'>;

/** A page's head, or the text that contains it. */
type Page = { head: () => Head; text?: never } | { text: TextName; of?: (text: never) => PageText };

const titled = (title: string, description: string): Head => ({
  title: translate(common, 'title', { page: title }),
  description,
});

/** The pages that are the same for all visitors at first. */
export const PAGES: Readonly<Record<string, Page>> = {
  '/': { head: () => ({ title: translate(landing, 'page'), description: translate(landing, 'hero.lede') }) },
  '/explore': { head: () => titled(translate(posts, 'title'), translate(posts, 'description')) },
  '/login': { head: () => titled(translate(auth, 'login.title'), translate(auth, 'login.lede')) },
  '/signup': { head: () => titled(translate(auth, 'signup.title'), translate(auth, 'signup.lede')) },
  '/aboutus': { text: 'about' },
  '/ourleaders': { text: 'company', of: ({ leaders }: { leaders: PageText }) => leaders },
  '/papers': { text: 'company', of: ({ papers }: { papers: PageText }) => papers },
  '/privacy': { text: 'privacy' },
  '/terms': { text: 'terms' },
};

function headOf(page: Page, language: Language, queryClient: QueryClient): Head {
  if (page.text === undefined) return page.head();
  const loaded = queryClient.getQueryData(pageTextQuery(page.text, language).queryKey);
  const { title, lede } = page.of ? page.of(loaded as never) : (loaded as PageText);
  return titled(title, lede);
}

/** The frame in the documents of members' pages. */
export const memberFrame = (): string => renderToStaticMarkup(<MemberFrame />);

/** Renders a page in one language. Only the build calls it. */
export async function write(path: string, language: Language): Promise<Written> {
  const page = PAGES[path];
  if (!page) throw new Error(`${path} is not among the pages that are prerendered`);
  await loadLanguage(language);
  const queryClient = createQueryClient();
  queryClient.setQueryData(keys.me, null);
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [path] }));
  await router.load();
  const failed = router.state.matches.find(({ status }) => status !== 'success');
  if (failed) throw new Error(`${path}: ${failed.routeId} is ${failed.status}`);
  // In one piece, because React moves later pieces by inline scripts, which the CSP forbids.
  const { prelude } = await prerender(<App router={router} />, { progressiveChunkSize: Number.POSITIVE_INFINITY });
  const html = await new Response(prelude).text();
  if (/<script|<template/.test(html)) throw new Error(`${path} is not whole without scripts`);
  return { html, ...headOf(page, language, queryClient), routes: router.state.matches.map(({ routeId }) => routeId) };
}
