import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  Pagination,
  PaginationContent,
  PaginationEllipsis,
  PaginationItem,
  PaginationLink,
  PaginationNext,
  PaginationPrevious,
} from '@/components/ui/pagination';
import { useTexts } from '@/i18n';
import { posts } from '@/i18n/en/posts';
import { count } from '@/lib/money';
import type { Listing } from './explore-search';
import { pageList } from './page-list';

type StepProps = { part: typeof PaginationNext; to: Listing | null; onPage: () => void; children: ReactNode };

/** Prev or Next; disabled without such a page. */
function Step({ part: Part, to, onPage, children }: StepProps) {
  if (!to) {
    return (
      <Part className="bg-transparent" asChild>
        <span role="link" aria-disabled="true">
          {children}
        </span>
      </Part>
    );
  }
  return (
    <Part asChild>
      <Link to="/explore" search={to} resetScroll={false} onClick={onPage}>
        {children}
      </Link>
    </Part>
  );
}

type Props = { at: Listing; page: number; pages: number; onPage: () => void };

/** Prev, first page, neighbours of the current one, last page, Next. All keep the seed. */
export function ExplorePager({ at, page, pages, onPage }: Props) {
  const t = useTexts(posts);
  if (pages <= 1) return null;
  const place = (number: number): Listing => ({ ...at, page: number === 1 ? undefined : number });
  return (
    <Pagination className="mt-10 flex-wrap justify-center" aria-label={t('pages')}>
      <Step part={PaginationPrevious} to={page > 1 ? place(page - 1) : null} onPage={onPage}>
        {t('prev')}
      </Step>
      {/* On a phone the numbers have a line above the steps. */}
      <PaginationContent className="max-2xs:order-first max-2xs:basis-full max-2xs:justify-center">
        {pageList(page, pages).map((number, index) => (
          <PaginationItem key={number ?? `gap-${index}`}>
            {number === null ? (
              <PaginationEllipsis />
            ) : (
              <PaginationLink asChild>
                <Link
                  to="/explore"
                  search={place(number)}
                  resetScroll={false}
                  onClick={onPage}
                  aria-label={t('page', { page: number })}
                  activeOptions={{ explicitUndefined: true }}
                >
                  {count(number)}
                </Link>
              </PaginationLink>
            )}
          </PaginationItem>
        ))}
      </PaginationContent>
      <Step part={PaginationNext} to={page < pages ? place(page + 1) : null} onPage={onPage}>
        {t('next')}
      </Step>
    </Pagination>
  );
}
