import { Rows3 } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { NativeSelect } from '@/components/ui/native-select';
import { useDebouncedValue } from '@/hooks/use-debounced-value';
import { useTexts } from '@/i18n';
import { adminDeposits } from '@/i18n/en/admin-deposits';
import { khata } from '@/i18n/en/khata';
import { isEnter } from '@/lib/enter';
import { useShortcuts } from '../shortcuts/use-shortcuts';
import { setCompact, useDensity } from './density';
import { DEPOSIT_METHODS, DEPOSIT_SORTS, type DepositQueueSearch } from './deposit-search';
import { MAX_SEARCH, MIN_SEARCH } from './queue-query';

type Chosen = Pick<DepositQueueSearch, 'search' | 'method' | 'sort'>;
type Props = {
  search: DepositQueueSearch;
  /** How many were found, to be read out. */
  found: string;
  onChoose: (chosen: Chosen, replace: boolean) => void;
};

/** Searches while one types, after a pause; `/` leads to the field. An empty field shows all again. */
function SearchField({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  const t = useTexts(adminDeposits);
  const field = useRef<HTMLInputElement>(null);
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
    if (wanted !== typed.trim() || wanted === search) return;
    if (wanted === '' || wanted.length >= MIN_SEARCH) onSearch(wanted);
  });
  useEffect(() => find(), [wanted]);
  useShortcuts({
    '/': () => {
      field.current?.focus();
      field.current?.select();
    },
  });
  return (
    <Input
      ref={field}
      className="min-h-11 w-auto min-w-0 flex-[2_1_200px]"
      type="search"
      aria-label={t('search')}
      aria-keyshortcuts="/"
      title={t('searchKey')}
      placeholder={t('search')}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={MAX_SEARCH}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onFocus={() => setTyping(true)}
      onBlur={() => setTyping(false)}
      onKeyDown={(event) => {
        // The list is what the hand goes back to.
        if (isEnter(event)) event.currentTarget.blur();
      }}
    />
  );
}

/** What of the queue is shown, in which order, and how close its rows stand. */
export function DepositsFilter({ search, found, onChoose }: Props) {
  const t = useTexts(adminDeposits);
  const k = useTexts(khata);
  const density = useDensity();
  const now: Chosen = { search: search.search, method: search.method, sort: search.sort };
  // What the server does where the address says nothing.
  const usual = (search.tab ?? 'waiting') === 'waiting' ? 'oldest' : 'newest';
  return (
    <search className="flex flex-wrap gap-2 py-2.5">
      <SearchField
        search={search.search ?? ''}
        onSearch={(wanted) => onChoose({ ...now, search: wanted === '' ? undefined : wanted }, true)}
      />
      <NativeSelect
        className="min-h-11 w-auto min-w-0 flex-[1_1_130px] py-1.5"
        aria-label={t('method')}
        value={search.method ?? ''}
        onChange={({ target }) => onChoose({ ...now, method: DEPOSIT_METHODS.find((method) => method === target.value) }, false)}
      >
        <option value="">{t('anyMethod')}</option>
        {DEPOSIT_METHODS.map((method) => (
          <option key={method} value={method}>
            {k(`method.${method}`)}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect
        className="min-h-11 w-auto min-w-0 flex-[1_1_130px] py-1.5"
        aria-label={t('sort')}
        value={search.sort ?? usual}
        onChange={({ target }) => {
          const sort = DEPOSIT_SORTS.find((one) => one === target.value);
          onChoose({ ...now, sort: sort === usual ? undefined : sort }, false);
        }}
      >
        {DEPOSIT_SORTS.map((sort) => (
          <option key={sort} value={sort}>
            {t(`sort.${sort}`)}
          </option>
        ))}
      </NativeSelect>
      <Button
        variant="outline"
        size="icon"
        className="hidden aria-pressed:bg-secondary wide:pointer-fine:inline-flex"
        aria-label={t('density')}
        title={t('density')}
        aria-pressed={density.wanted}
        onClick={() => setCompact(!density.wanted)}
      >
        <Rows3 aria-hidden="true" />
      </Button>
      <p role="status" aria-live="polite" className="sr-only">
        {found}
      </p>
    </search>
  );
}
