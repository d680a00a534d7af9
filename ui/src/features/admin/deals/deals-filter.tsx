import { Search } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { CODE } from '@/components/classes';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { NativeSelect } from '@/components/ui/native-select';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { khata } from '@/i18n/en/khata';
import { cn } from '@/lib/cn';
import { uuid } from '@/lib/search-params';
import { DEAL_STATUSES, type DealSearch } from './deal-search';

type Props = { search: DealSearch; onChoose: (chosen: Pick<DealSearch, 'status' | 'dealId'>) => void };

/** Filters by status or id. A pasted id is searched for at once. */
export function DealsFilter({ search, onChoose }: Props) {
  const t = useTexts(admin);
  const tKhata = useTexts(khata);
  const [typed, setTyped] = useState(search.dealId ?? '');
  const [shown, setShown] = useState(search.dealId);
  if (shown !== search.dealId) {
    setShown(search.dealId);
    setTyped(search.dealId ?? '');
  }
  const find = (text: string) => onChoose({ status: search.status, dealId: text.trim() === '' ? undefined : text.trim() });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    find(typed);
  };
  return (
    <form className="flex flex-wrap gap-2 py-3" role="search" onSubmit={submit}>
      <NativeSelect
        className="min-h-11 w-auto flex-[1_1_160px]"
        aria-label={t('status')}
        value={search.status ?? ''}
        onChange={({ target }) =>
          onChoose({ status: DEAL_STATUSES.find((status) => status === target.value), dealId: search.dealId })
        }
      >
        <option value="">{t('filter.any')}</option>
        {DEAL_STATUSES.map((status) => (
          <option key={status} value={status}>
            {tKhata(`status.${status}`)}
          </option>
        ))}
      </NativeSelect>
      <Input
        type="search"
        className={cn(CODE, 'min-h-11 w-auto min-w-0 flex-[2_1_200px]')}
        aria-label={t('filter.id')}
        placeholder={t('filter.id')}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          if (target.value === '' || uuid(target.value.trim()) !== undefined) find(target.value);
        }}
      />
      <Button type="submit" variant="outline" size="icon" aria-label={t('filter.find')}>
        <Search aria-hidden="true" />
      </Button>
    </form>
  );
}
