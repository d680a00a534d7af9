import { Link } from '@tanstack/react-router';
import { Heart, Search, SlidersHorizontal, X } from 'lucide-react';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { lazyPart } from '@/components/lazy-part';
import { Button } from '@/components/ui/button';
import { InputGroup, InputGroupAddon, InputGroupButton, InputGroupInput } from '@/components/ui/input-group';
import { toggleVariants } from '@/components/ui/toggle';
import { ToggleGroup } from '@/components/ui/toggle-group';
import { CATEGORIES } from '@/entities/post/categories';
import { SUBCATEGORIES, useCategoryNames } from '@/entities/post/subcategories';
import { useMaybeMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { posts } from '@/i18n/en/posts';
import { saved } from '@/i18n/en/saved';
import { preload } from '@/lib/prefetch';
import { isSavable } from '../searches';
import { type Listing, MAX_SEARCH } from './explore-search';
import { ActiveFilters } from './filtered-posts';
import { SaveSearch } from './save-search';

const DELAY = 300;

/**
 * The text of a search box bound to the address. Input goes to the address after a pause or on
 * Enter; other changes of the address (Back, a link) replace the text.
 */
function useSearchBox(
  address: string,
  field: RefObject<HTMLInputElement | null>,
  go: (text: string, how: 'paused' | 'entered') => void,
) {
  const [typed, setTyped] = useState(address);
  const [sent, setSent] = useState(address);
  const [seen, setSeen] = useState(address);
  // Input from before hydration. Set in an effect, because the first render must match the
  // prerendered page.
  useEffect(() => {
    if (field.current?.value) setTyped(field.current.value);
  }, [field]);
  if (address !== seen) {
    setSeen(address);
    // The answer to this box's own change; more may have been typed since.
    if (address !== sent) {
      setTyped(address);
      setSent(address);
    }
  }
  const wanted = typed.trim();
  const send = (text: string, how: 'paused' | 'entered') => {
    setSent(text);
    go(text, how);
  };
  useEffect(() => {
    if (wanted === sent) return;
    const timer = setTimeout(() => send(wanted, 'paused'), DELAY);
    return () => clearTimeout(timer);
    // Only typing restarts the pause.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [wanted, sent]);
  return {
    typed,
    type: setTyped,
    enter: () => {
      if (wanted !== sent) send(wanted, 'entered');
    },
    clear: () => {
      setTyped('');
      if (sent !== '') send('', 'entered');
    },
  };
}

type Go = (listing: Listing, how: 'paused' | 'entered') => void;

function SearchBox({ at, go }: { at: Listing; go: Go }) {
  const t = useTexts(posts);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const box = useSearchBox(at.search ?? '', field, (search, how) => go({ ...at, search, page: undefined, seed: undefined }, how));
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
      <InputGroup>
        <InputGroupAddon>
          <Search aria-hidden="true" />
        </InputGroupAddon>
        <InputGroupInput
          ref={field}
          id={id}
          type="search"
          // The button beside it clears the field.
          className="[&::-webkit-search-cancel-button]:hidden"
          enterKeyHint="search"
          autoComplete="off"
          maxLength={MAX_SEARCH}
          placeholder={t('searchHint')}
          value={box.typed}
          onChange={({ target }) => box.type(target.value)}
        />
        {box.typed === '' ? null : (
          <InputGroupButton aria-label={t('clear')} onClick={box.clear}>
            <X aria-hidden="true" />
          </InputGroupButton>
        )}
      </InputGroup>
    </form>
  );
}

function Chips({ at }: { at: Listing }) {
  const t = useTexts(posts);
  const names = useCategoryNames();
  // The link to the current filter is marked, whatever the page and the seed.
  const link = {
    className: toggleVariants(),
    to: '/explore',
    preload: false,
    activeOptions: { explicitUndefined: true },
  } as const;
  return (
    <ToggleGroup asChild>
      <nav aria-label={t('categories')}>
        <Link {...link} search={{ search: at.search, category: undefined }}>
          {t('all')}
        </Link>
        {CATEGORIES.map((category) => (
          <Link key={category} {...link} search={{ search: at.search, category }}>
            {names.category(category)}
          </Link>
        ))}
      </nav>
    </ToggleGroup>
  );
}

/** The chosen category's subcategories. A tap on the chosen one shows all of the category. */
function SubChips({ at }: { at: Listing }) {
  const t = useTexts(posts);
  const names = useCategoryNames();
  const { category, search } = at;
  if (!category) return null;
  return (
    <ToggleGroup asChild className="mt-2">
      <nav aria-label={t('subcategories')}>
        {SUBCATEGORIES[category].map((name) => {
          const chosen = at.subcategory === name;
          return (
            <Link
              key={name}
              className={toggleVariants()}
              to="/explore"
              search={{ category, search, subcategory: chosen ? undefined : name }}
              preload={false}
              aria-current={chosen ? 'page' : undefined}
            >
              {names.subcategory(name)}
            </Link>
          );
        })}
      </nav>
    </ToggleGroup>
  );
}

const loadSheet = () => import('./filter-sheet');
const FilterSheet = lazyPart(loadSheet, ({ onClose }) => onClose());

function Filters({ at, go }: { at: Listing; go: (listing: Listing) => void }) {
  const t = useTexts(posts);
  const [open, setOpen] = useState(false);
  const ahead = () => preload(loadSheet);
  return (
    <>
      <Button variant="outline" onPointerEnter={ahead} onFocus={ahead} onClick={() => setOpen(true)}>
        <SlidersHorizontal aria-hidden="true" />
        {t('filters')}
      </Button>
      {open ? <FilterSheet at={at} go={go} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

export function ExploreHead({ at, next, go }: { at: Listing; next: 'save' | undefined; go: Go }) {
  const t = useTexts(posts);
  const tSaved = useTexts(saved);
  const me = useMaybeMe();
  return (
    <>
      <div className="mb-4 grid gap-4 wide:grid-cols-[1fr_minmax(0,520px)] wide:items-end">
        <div className="grid min-w-0 content-start gap-2">
          <div className="flex flex-wrap items-center justify-between gap-x-4">
            <h1 className="font-display text-display-lg">{t('title')}</h1>
            {me ? (
              <Button variant="link" asChild>
                <Link to="/saved">
                  <Heart className="size-4" aria-hidden="true" />
                  {tSaved('title')}
                </Link>
              </Button>
            ) : null}
          </div>
          {/* Visitors may not know the site. */}
          {me ? null : <p className="text-lede text-muted-foreground">{t('description')}</p>}
        </div>
        <div className="flex gap-2 *:first:min-w-0 *:first:flex-1">
          <SearchBox at={at} go={go} />
          <Filters at={at} go={(listing) => go(listing, 'entered')} />
        </div>
      </div>
      <Chips at={at} />
      <SubChips at={at} />
      <ActiveFilters at={at} />
      {isSavable(at) ? <SaveSearch at={at} next={next} /> : null}
    </>
  );
}
