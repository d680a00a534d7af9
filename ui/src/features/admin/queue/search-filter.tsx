import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Input } from '@/components/ui/input';
import { MIN_SEARCH_LENGTH } from '@/entities/user/search-limits';
import { useDebouncedValue } from '@/hooks/use-debounced-value';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { isEnter } from '@/lib/enter';
import { useSearchKey } from '../shortcuts/shortcuts';

/**
 * A search field bound to the address. An address it did not ask for (Back, a link) replaces its
 * text even while focused, so that it never shows a filter that is not applied.
 */
function useSearchField(search: string, onSearch: (search: string) => void) {
  const [typed, setTyped] = useState(search);
  const [shown, setShown] = useState(search);
  /** What this field has asked for and the address has not answered. */
  const [asked, setAsked] = useState<readonly string[]>([]);
  if (shown !== search) {
    setShown(search);
    const answered = asked.indexOf(search);
    // More may have been typed since this field asked for it.
    if (answered < 0) setTyped(search);
    setAsked(answered < 0 ? [] : asked.slice(answered + 1));
  }
  const wanted = useDebouncedValue(typed.trim());
  const find = useEffectEvent(() => {
    if (wanted !== typed.trim() || wanted === search || (wanted !== '' && wanted.length < MIN_SEARCH_LENGTH)) return;
    setAsked([...asked, wanted]);
    onSearch(wanted);
  });
  // oxlint-disable-next-line react/set-state-in-effect
  useEffect(() => find(), [wanted]);
  return { value: typed, onChange: ({ target }: { target: { value: string } }) => setTyped(target.value) };
}

type Props = {
  label: string;
  search: string | undefined;
  /** What was found, for screen readers. */
  found: string;
  onSearch: (search: string) => void;
  children?: ReactNode;
};

/**
 * The search field of a list, with its other filters. It searches after a pause in typing, from the
 * second letter on; `/` focuses it. Empty shows all.
 */
export function SearchFilter({ label, search, found, onSearch, children }: Props) {
  const t = useTexts(admin);
  const field = useRef<HTMLInputElement>(null);
  const typed = useSearchField(search ?? '', onSearch);
  useSearchKey(field);
  return (
    <search className="flex flex-wrap gap-2 py-2.5">
      <Input
        ref={field}
        className="min-h-11 w-auto min-w-0 flex-[2_1_200px]"
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        title={t('searchKey')}
        placeholder={label}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...typed}
        onKeyDown={(event) => {
          // Returns the focus to the list.
          if (isEnter(event)) event.currentTarget.blur();
        }}
      />
      {children}
      <p role="status" aria-live="polite" className="sr-only">
        {found}
      </p>
    </search>
  );
}
