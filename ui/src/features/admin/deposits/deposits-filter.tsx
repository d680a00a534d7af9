import { useRef } from 'react';
import { Input } from '@/components/ui/input';
import { NativeSelect } from '@/components/ui/native-select';
import { useSearchField } from '@/hooks/use-search-field';
import { useTexts } from '@/i18n';
import { adminDeposits } from '@/i18n/en/admin-deposits';
import { khata } from '@/i18n/en/khata';
import { isEnter } from '@/lib/enter';
import { useShortcuts } from '../shortcuts/use-shortcuts';
import { DEPOSIT_METHODS, DEPOSIT_SORTS, type DepositQueueSearch, PAYERS } from './deposit-search';
import { MAX_SEARCH, MIN_SEARCH } from './queue-query';

type Chosen = Pick<DepositQueueSearch, 'search' | 'method' | 'payer' | 'sort'>;
type Props = {
  search: DepositQueueSearch;
  found: string;
  onChoose: (chosen: Chosen, replace: boolean) => void;
};

/** Searches after a pause in typing; `/` focuses the field. Empty shows all. */
function SearchField({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  const t = useTexts(adminDeposits);
  const field = useRef<HTMLInputElement>(null);
  const typed = useSearchField(search, MIN_SEARCH, onSearch);
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
      {...typed}
      onKeyDown={(event) => {
        // Returns the focus to the list.
        if (isEnter(event)) event.currentTarget.blur();
      }}
    />
  );
}

export function DepositsFilter({ search, found, onChoose }: Props) {
  const t = useTexts(adminDeposits);
  const tKhata = useTexts(khata);
  const now: Chosen = { search: search.search, method: search.method, payer: search.payer, sort: search.sort };
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
            {tKhata(`method.${method}`)}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect
        className="min-h-11 w-auto min-w-0 flex-[1_1_130px] py-1.5"
        aria-label={t('payer')}
        value={search.payer ?? ''}
        onChange={({ target }) => onChoose({ ...now, payer: PAYERS.find((payer) => payer === target.value) }, false)}
      >
        <option value="">{t('anyPayer')}</option>
        {PAYERS.map((payer) => (
          <option key={payer} value={payer}>
            {t(`payer.${payer}`)}
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
      <p role="status" aria-live="polite" className="sr-only">
        {found}
      </p>
    </search>
  );
}
