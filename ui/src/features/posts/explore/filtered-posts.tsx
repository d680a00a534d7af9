import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import type { RefObject } from 'react';
import { EmptyState } from '@/components/empty-state';
import { EmptyStrip } from '@/components/empty-strip';
import { Note } from '@/components/note';
import { ShowMore } from '@/components/pager';
import { QueryPart } from '@/components/query-part';
import { Button } from '@/components/ui/button';
import { toggleVariants } from '@/components/ui/toggle';
import { addressOfFacts, type FactKey, factsOfAddress, useFactTexts } from '@/entities/post/facts';
import { FACTS } from '@/entities/post/facts.gen';
import { CardsSkeleton, PublicPosts } from '@/entities/post/post-card';
import { useCategoryNames } from '@/entities/post/subcategories';
import { useTexts } from '@/i18n';
import { facts as factTexts } from '@/i18n/en/facts';
import { posts } from '@/i18n/en/posts';
import { count, usdShort } from '@/lib/money';
import { filteredQuery } from '../queries';
import type { Listing } from './explore-search';

/** What a filter of the address says: "Subscribers from 1,000". */
function useFactWords() {
  const t = useTexts(factTexts);
  const texts = useFactTexts();
  return (key: string, value: string): string | null => {
    const fact = FACTS.find((known) => known.key === key);
    if (!fact) return null;
    const name = texts.name(key as FactKey);
    if (fact.kind === 'choice') return t('is', { name, value: texts.choice(fact.key, value) });
    if (fact.kind !== 'number') return t('is', { name, value: t(value === 'true' ? 'yes' : 'no') });
    const [least, most] = value.split('..');
    if (!least) return t('atMost', { name, most: count(Number(most)) });
    if (!most) return t('atLeast', { name, least: count(Number(least)) });
    return t('between', { name, least: count(Number(least)), most: count(Number(most)) });
  };
}

/** What the filters of an address say besides its words and category, and each without it. */
export function useFilterWords() {
  const t = useTexts(posts);
  const names = useCategoryNames();
  const wordsOf = useFactWords();
  const price = (dollars: number) => usdShort(Math.round(dollars * 100));
  return ({ sort, min, max, subcategory, facts }: Listing): [label: string, without: Partial<Listing>][] => {
    const stated = factsOfAddress(facts);
    const chips: [label: string | null, without: Partial<Listing>][] = [
      // Facts belong to the subcategory.
      [subcategory ? names.subcategory(subcategory) : null, { subcategory: undefined, facts: undefined }],
      [min ? t('price.from', { price: price(min) }) : null, { min: undefined }],
      [max ? t('price.to', { price: price(max) }) : null, { max: undefined }],
      ...Object.entries(stated).map(([key, value]): (typeof chips)[number] => [
        wordsOf(key, value),
        { facts: addressOfFacts({ ...stated, [key]: '' }) },
      ]),
      [sort ? t(`sort.${sort}`) : null, { sort: undefined }],
    ];
    return chips.flatMap(([label, without]) => (label === null ? [] : [[label, without]]));
  };
}

/** The filters of the address. A tap on one removes it. */
export function ActiveFilters({ at }: { at: Listing }) {
  const t = useTexts(posts);
  const shown = useFilterWords()(at);
  if (shown.length === 0) return null;
  return (
    <ul className="mt-3 flex flex-wrap gap-2" aria-label={t('filters.active')}>
      {shown.map(([label, without]) => (
        <li key={label}>
          <Link
            className={toggleVariants()}
            to="/explore"
            search={{ ...at, ...without, page: undefined, seed: undefined }}
            preload={false}
            aria-label={t('filters.remove', { filter: label })}
            activeOptions={{ explicitUndefined: true }}
          >
            {label}
            <X className="size-4" aria-hidden="true" />
          </Link>
        </li>
      ))}
    </ul>
  );
}

export function SimilarNote({ search }: { search: string }) {
  const t = useTexts(posts);
  return (
    <Note kind="info" className="mt-6">
      {t('similar', { search })}
    </Note>
  );
}

/** The posts that meet the filters of the address. */
export function FilteredPosts({ at, headingRef }: { at: Listing; headingRef: RefObject<HTMLHeadingElement | null> }) {
  const t = useTexts(posts);
  const query = useInfiniteQuery(filteredQuery(at));
  return (
    <QueryPart query={query} failure={t('listFailed')} skeleton={<CardsSkeleton className="mt-6" />}>
      {({ pages }) => {
        const found = pages.flatMap((page) => page.posts);
        const total = pages[0]?.total ?? null;
        const heading = total === null ? t('filters.many') : t('filters.count', { count: total });
        const rest = query.hasNextPage ? Math.max(1, (total ?? Number.POSITIVE_INFINITY) - found.length) : 0;
        return (
          <>
            <h2 className="mt-6 text-sm text-muted-foreground" tabIndex={-1} ref={headingRef} aria-live="polite">
              {found.length === 0 && !query.hasNextPage ? t('none') : heading}
            </h2>
            {pages[0]?.similar && at.search ? <SimilarNote search={at.search} /> : null}
            {found.length === 0 && !query.hasNextPage ? (
              <EmptyState title={t('none')} text={t('none.filters')} picture={<EmptyStrip />}>
                <Button asChild variant="outline">
                  <Link to="/explore">{t('showAll')}</Link>
                </Button>
              </EmptyState>
            ) : (
              <PublicPosts posts={found} eager={4} className="mt-4" />
            )}
            <ShowMore
              rest={rest}
              step={12}
              busy={query.isFetchingNextPage}
              error={query.isFetchNextPageError ? query.error : null}
              more={() => void query.fetchNextPage()}
            />
          </>
        );
      }}
    </QueryPart>
  );
}
