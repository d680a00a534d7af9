import { type ReactNode, useRef } from 'react';
import { Input } from '@/components/ui/input';
import { MIN_SEARCH_LENGTH } from '@/entities/user/search-limits';
import { useSearchField } from '@/hooks/use-search-field';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { isEnter } from '@/lib/enter';
import { useSearchKey } from '../shortcuts/shortcuts';

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
  const typed = useSearchField(search ?? '', MIN_SEARCH_LENGTH, onSearch);
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
