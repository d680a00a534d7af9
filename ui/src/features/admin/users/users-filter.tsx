import { Input } from '@/components/ui/input';
import { MIN_SEARCH_LENGTH } from '@/entities/user/search-limits';
import { useSearchField } from '@/hooks/use-search-field';
import { useTexts } from '@/i18n';
import { adminUsers } from '@/i18n/en/admin';

type Props = {
  label?: string;
  search: string;
  found: string;
  onSearch: (search: string) => void;
};

/** Searches from the second letter on, after a pause. Empty shows all. */
export function UsersFilter({ label, search, found, onSearch }: Props) {
  const t = useTexts(adminUsers);
  const typed = useSearchField(search, MIN_SEARCH_LENGTH, onSearch);
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
        {...typed}
      />
      <p role="status" aria-live="polite" className="sr-only">
        {found}
      </p>
    </search>
  );
}
