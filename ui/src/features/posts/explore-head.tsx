import { Link } from '@tanstack/react-router';
import { Search, X } from 'lucide-react';
import { useId, useRef } from 'react';
import { useTexts } from '@/i18n';
import { posts } from '@/i18n/en/posts';
import { CATEGORIES } from '@/lib/category';
import { useMaybeMe } from '@/lib/queries';
import { SUBCATEGORIES, useCategoryNames } from '@/lib/subcategories';
import { LONGEST_SEARCH } from './explore-search';
import type { Listing } from './queries';
import { useSearchBox } from './use-search-box';

type Go = (listing: Listing, how: 'paused' | 'entered') => void;

function SearchBox({ at, go }: { at: Listing; go: Go }) {
  const t = useTexts(posts);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const box = useSearchBox(at.search ?? '', field, (search, how) =>
    go({ search: search === '' ? undefined : search, category: at.category }, how),
  );
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        box.enter();
      }}
    >
      <label className="sr-only" htmlFor={id}>
        {t('search')}
      </label>
      <div className="affix">
        <span>
          <Search aria-hidden="true" />
        </span>
        <input
          className="input"
          ref={field}
          id={id}
          type="search"
          enterKeyHint="search"
          autoComplete="off"
          maxLength={LONGEST_SEARCH}
          placeholder={t('searchHint')}
          value={box.typed}
          onChange={({ target }) => box.type(target.value)}
        />
        {box.typed === '' ? null : (
          <button type="button" aria-label={t('clear')} onClick={box.clear}>
            <X aria-hidden="true" />
          </button>
        )}
      </div>
    </form>
  );
}

function Chips({ at }: { at: Listing }) {
  const t = useTexts(posts);
  const names = useCategoryNames();
  // The link to what is shown is marked as current, whatever the page and the order are.
  const link = { className: 'chip', to: '/explore', preload: false, activeOptions: { explicitUndefined: true } } as const;
  return (
    <nav aria-label={t('categories')} className="chips">
      <Link {...link} search={{ search: at.search, category: undefined }}>
        {t('all')}
      </Link>
      {CATEGORIES.map((category) => (
        <Link key={category} {...link} search={{ search: at.search, category }}>
          {names.category(category)}
        </Link>
      ))}
    </nav>
  );
}

/** The subcategories of the chosen category. They are looked for by their names, which every post of theirs has. */
function SubChips({ at }: { at: Listing }) {
  const t = useTexts(posts);
  const names = useCategoryNames();
  const { category } = at;
  if (!category) return null;
  return (
    <nav aria-label={t('subcategories')} className="chips mt-2">
      {SUBCATEGORIES[category].map((name) => {
        const chosen = at.search?.toLowerCase() === name.toLowerCase();
        return (
          <Link
            key={name}
            className="chip"
            to="/explore"
            search={{ category, search: chosen ? undefined : name }}
            preload={false}
            aria-current={chosen ? 'page' : undefined}
          >
            {names.subcategory(name)}
          </Link>
        );
      })}
    </nav>
  );
}

/** Title, search and categories. */
export function ExploreHead({ at, go }: { at: Listing; go: Go }) {
  const t = useTexts(posts);
  const me = useMaybeMe();
  return (
    <>
      <div className="mb-4 grid gap-4 wide:grid-cols-[1fr_minmax(0,520px)] wide:items-end">
        <div className="grid min-w-0 content-start gap-2">
          <h1 className="font-display text-display-lg">{t('title')}</h1>
          {/* Who comes by a link may not know whose site this is. */}
          {me ? null : <p className="text-lede text-muted-foreground">{t('description')}</p>}
        </div>
        <SearchBox at={at} go={go} />
      </div>
      <Chips at={at} />
      <SubChips at={at} />
    </>
  );
}
