import { useEffect, useEffectEvent, useState } from 'react';
import { Input } from '@/components/ui/input';
import { MIN_SEARCH_LENGTH } from '@/entities/user/search-limits';
import { useDebouncedValue } from '@/hooks/use-debounced-value';
import { useTexts } from '@/i18n';
import { adminUsers } from '@/i18n/en/admin-users';

type Props = {
  /** What is searched by, where that is not a username or an address. */
  label?: string;
  /** What the list shows; empty: all. */
  search: string;
  /** How many were found, to be read out. */
  found: string;
  onSearch: (search: string) => void;
};

/** Searches while one types: from the second letter on, after a pause. An empty field shows all again. */
export function UsersFilter({ label, search, found, onSearch }: Props) {
  const t = useTexts(adminUsers);
  const [typed, setTyped] = useState(search);
  const [shown, setShown] = useState(search);
  const [typing, setTyping] = useState(false);
  if (shown !== search) {
    // Another address: back, or a link. What is being typed stays, whatever search comes to an end meanwhile.
    setShown(search);
    if (!typing) setTyped(search);
  }
  const wanted = useDebouncedValue(typed.trim());
  const find = useEffectEvent(() => {
    if (wanted === typed.trim() && wanted !== search && (wanted === '' || wanted.length >= MIN_SEARCH_LENGTH)) onSearch(wanted);
  });
  useEffect(() => find(), [wanted]);
  return (
    <search className="flex flex-wrap gap-2 py-3">
      <Input
        className="min-h-11 w-auto min-w-0 flex-[2_1_200px]"
        type="search"
        aria-label={label ?? t('search')}
        placeholder={label ?? t('search')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onFocus={() => setTyping(true)}
        onBlur={() => setTyping(false)}
      />
      <p role="status" aria-live="polite" className="sr-only">
        {found}
      </p>
    </search>
  );
}
