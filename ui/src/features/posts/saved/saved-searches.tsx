import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import { useState } from 'react';
import type { SavedSearch } from '@/api/contract';
import { EmptyState } from '@/components/empty-state';
import { EmptyStrip } from '@/components/empty-strip';
import { QueryPart } from '@/components/query-part';
import { Button } from '@/components/ui/button';
import { NativeSelect } from '@/components/ui/native-select';
import { Skeleton } from '@/components/ui/skeleton';
import { useCategoryNames } from '@/entities/post/subcategories';
import { useTexts } from '@/i18n';
import { posts } from '@/i18n/en/posts';
import { savedSearches } from '@/i18n/en/saved-searches';
import { cn } from '@/lib/cn';
import { useFilterWords } from '../explore/filtered-posts';
import { addressOfSaved, searchesQuery, useFrequency, useSavedSearch } from '../searches';

const FREQUENCIES = ['soon', 'daily', 'off'] as const;

/** What a saved search asks for: “cooking” · Online Asset · Up to $500. */
function useSearchWords() {
  const t = useTexts(savedSearches);
  const names = useCategoryNames();
  const filterWords = useFilterWords();
  return (search: SavedSearch): string => {
    const at = addressOfSaved(search);
    const parts = [at.search && t('words', { search: at.search }), at.category && names.category(at.category)];
    return [...parts, ...filterWords({ ...at, sort: undefined }).map(([label]) => label)].filter(Boolean).join(' · ');
  };
}

/** A search keeps its line after it was removed, until the list is opened again. */
function Line({ search }: { search: SavedSearch }) {
  const t = useTexts(savedSearches);
  const at = addressOfSaved(search);
  const filters = useSearchWords()(search);
  const { saved, pressed, save } = useSavedSearch(at);
  const { mutate, isPending, variables } = useFrequency(saved?._id ?? search._id);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b py-3">
      <Link
        to="/explore"
        search={at}
        preload={false}
        className="inline-flex min-h-11 min-w-0 flex-1 basis-56 items-center font-semibold wrap-anywhere"
      >
        {filters}
      </Link>
      <span className="flex w-full items-center gap-2 xs:w-auto">
        <NativeSelect
          className="min-w-0 flex-1"
          aria-label={t('frequency', { filters })}
          value={isPending ? variables : (saved?.frequency ?? search.frequency)}
          disabled={!pressed}
          onChange={({ target }) => mutate(FREQUENCIES.find((one) => one === target.value) ?? 'daily')}
        >
          {FREQUENCIES.map((frequency) => (
            <option key={frequency} value={frequency}>
              {t(`frequency.${frequency}`)}
            </option>
          ))}
        </NativeSelect>
        <Button
          variant="ghost"
          size="icon"
          aria-pressed={pressed}
          aria-label={t('saveOf', { filters })}
          onClick={() => save(!pressed)}
        >
          <Bell className={cn(pressed && 'fill-current')} aria-hidden="true" />
        </Button>
      </span>
    </li>
  );
}

function Lines({ searches }: { searches: SavedSearch[] }) {
  const t = useTexts(savedSearches);
  const tPosts = useTexts(posts);
  const [shown] = useState(searches);
  if (shown.length === 0) {
    return (
      <EmptyState title={t('empty')} text={t('emptyText')} picture={<EmptyStrip />}>
        <Button asChild variant="outline">
          <Link to="/explore">{tPosts('post.toMarket')}</Link>
        </Button>
      </EmptyState>
    );
  }
  return (
    <ul className="max-w-measure">
      {shown.map((search) => (
        <Line key={search._id} search={search} />
      ))}
    </ul>
  );
}

/** The searches that the user has saved. */
export function SavedSearches() {
  const t = useTexts(savedSearches);
  const query = useQuery(searchesQuery);
  return (
    <QueryPart query={query} failure={t('listFailed')} skeleton={<Skeleton className="h-16 w-full" />}>
      {(searches) => <Lines searches={searches} />}
    </QueryPart>
  );
}
