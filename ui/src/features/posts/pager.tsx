import { Link } from '@tanstack/react-router';
import { ArrowLeft, ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { buttonVariants } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { posts } from '@/i18n/en/posts';
import { count } from '@/lib/money';
import { pageList } from './page-list';
import type { Listing } from './queries';

type StepProps = { to: Listing | null; onPage: () => void; children: ReactNode };

/** Prev or Next; where there is no such page it stays in its place and leads nowhere. */
function Step({ to, onPage, children }: StepProps) {
  if (!to) {
    return (
      <span
        className={buttonVariants({
          variant: 'ghost',
          className: 'cursor-not-allowed text-subtle-foreground hover:bg-transparent',
        })}
        role="link"
        aria-disabled="true"
      >
        {children}
      </span>
    );
  }
  return (
    <Link className={buttonVariants({ variant: 'ghost' })} to="/explore" search={to} resetScroll={false} onClick={onPage}>
      {children}
    </Link>
  );
}

const NUMBER = buttonVariants({
  variant: 'ghost',
  className: 'min-w-11 px-2 tabular-nums aria-[current=page]:bg-primary aria-[current=page]:text-primary-foreground',
});

type Props = { at: Listing; page: number; pages: number; onPage: () => void };

/** Prev, the first page, this one and its neighbours, the last one, Next. All keep the seed. */
export function Pager({ at, page, pages, onPage }: Props) {
  const t = useTexts(posts);
  if (pages <= 1) return null;
  const place = (number: number): Listing => ({ ...at, page: number === 1 ? undefined : number });
  return (
    <nav className="mt-10 flex flex-wrap items-center justify-center gap-1" aria-label={t('pages')}>
      <Step to={page > 1 ? place(page - 1) : null} onPage={onPage}>
        <ArrowLeft className="size-4.5" aria-hidden="true" />
        {t('prev')}
      </Step>
      {/* On a phone the numbers have a line of their own, above the steps. */}
      <ul className="flex items-center gap-1 max-2xs:order-first max-2xs:basis-full max-2xs:justify-center">
        {pageList(page, pages).map((number, index) => (
          <li key={number ?? `gap-${index}`}>
            {number === null ? (
              <span className="block w-6 text-center" aria-hidden="true">
                …
              </span>
            ) : (
              <Link
                className={NUMBER}
                to="/explore"
                search={place(number)}
                resetScroll={false}
                onClick={onPage}
                aria-label={t('page', { page: number })}
                activeOptions={{ explicitUndefined: true }}
              >
                {count(number)}
              </Link>
            )}
          </li>
        ))}
      </ul>
      <Step to={page < pages ? place(page + 1) : null} onPage={onPage}>
        {t('next')}
        <ArrowRight className="size-4.5" aria-hidden="true" />
      </Step>
    </nav>
  );
}
