import { type SyntheticEvent, useState } from 'react';
import { CODE } from '@/components/classes';
import { FormField } from '@/components/form-field';
import { PeriodFilter } from '@/components/period-filter';
import { Input } from '@/components/ui/input';
import { NativeSelect } from '@/components/ui/native-select';
import { useTexts } from '@/i18n';
import { adminRecords } from '@/i18n/en/admin-records';
import { UserPicker } from '../users/user-picker';
import type { AuditSearch } from './audit-search';
import { ACTIONS } from './entry-text';

type Props = { search: AuditSearch; onChoose: (search: AuditSearch) => void };

function SubjectField({ value, onValue }: { value: string; onValue: (subject: string) => void }) {
  const t = useTexts(adminRecords);
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setTyped(value);
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onValue(typed.trim());
  };
  return (
    <form onSubmit={submit}>
      <FormField label={t('subject')} help={t('subjectHelp')}>
        {(control) => (
          <Input
            type="search"
            className={CODE}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={({ target }) => {
              setTyped(target.value);
              if (target.value === '') onValue('');
            }}
            onBlur={() => {
              if (typed.trim() !== value) onValue(typed.trim());
            }}
            {...control}
          />
        )}
      </FormField>
    </form>
  );
}

export function AuditFilter({ search, onChoose }: Props) {
  const t = useTexts(adminRecords);
  const { actorId, action, subject, days, from, to } = search;
  const choose = (change: AuditSearch) => onChoose({ actorId, action, subject, days, from, to, ...change });
  return (
    <search className="mb-5 grid items-start gap-x-5 gap-y-4 *:min-w-0 min-[700px]:grid-cols-3">
      <FormField label={t('action')}>
        {(control) => (
          <NativeSelect
            value={action ?? ''}
            onChange={({ target: { value } }) => choose({ action: value || undefined })}
            {...control}
          >
            <option value="">{t('anyAction')}</option>
            {ACTIONS.map((known) => (
              <option key={known} value={known}>
                {t(`act.${known}`)}
              </option>
            ))}
          </NativeSelect>
        )}
      </FormField>
      <UserPicker label={t('who')} value={actorId} onValue={(id) => choose({ actorId: id })} />
      <SubjectField value={subject ?? ''} onValue={(wanted) => choose({ subject: wanted || undefined })} />
      <div className="col-span-full">
        <PeriodFilter
          period={{ days, from, to }}
          onPeriod={(period) => choose({ days: undefined, from: undefined, to: undefined, ...period })}
        />
      </div>
    </search>
  );
}
