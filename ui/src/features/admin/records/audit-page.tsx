import { getRouteApi } from '@tanstack/react-router';
import { type SyntheticEvent, useState } from 'react';
import { CODE } from '@/components/classes';
import { EmptyState } from '@/components/empty-state';
import { FormField } from '@/components/form-field';
import { lazyPart } from '@/components/lazy-part';
import { PeriodFilter } from '@/components/period-filter';
import { Input } from '@/components/ui/input';
import { NativeSelect } from '@/components/ui/native-select';
import { UserName } from '@/entities/user/user-name';
import { useAhead } from '@/hooks/use-late-part';
import { useTexts } from '@/i18n';
import { adminRecords } from '@/i18n/en/admin';
import { cn } from '@/lib/cn';
import { usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import type { AuditSearch } from '../admin-search';
import { QueuePage, RowLink } from '../queue/queue-page';
import { QueueCell, QueueRow, QueueRows } from '../queue/queue-rows';
import { useAdminList, useRowReview } from '../queue/use-admin-list';
import { UserPicker } from '../users/user-picker';
import { ACTIONS, actionText, ranBy, subjectText, sumOf } from './entry-text';
import { auditQuery, type Entry } from './queries';

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

function AuditFilter({ search, onChoose: choose }: Props) {
  const t = useTexts(adminRecords);
  const { actorId, action, subject, days, from, to } = search;
  return (
    <search className="mb-5 grid items-start gap-x-5 gap-y-4 *:min-w-0 min-[700px]:grid-cols-3">
      <FormField label={t('action')}>
        {(control) => (
          <NativeSelect value={action ?? ''} onChange={({ target: { value } }) => choose({ action: value })} {...control}>
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
      <SubjectField value={subject ?? ''} onValue={(wanted) => choose({ subject: wanted })} />
      <div className="col-span-full">
        <PeriodFilter
          period={{ days, from, to }}
          onPeriod={(period) => choose({ days: undefined, from: undefined, to: undefined, ...period })}
        />
      </div>
    </search>
  );
}

const loadReview = () => import('./entry-review');
const EntryReview = lazyPart(loadReview, ({ onClose }) => onClose());

const route = getRouteApi('/_admin/admin/audit');

function Line({ entry, selected }: { entry: Entry; selected: boolean }) {
  const t = useTexts(adminRecords);
  const { reason } = entry.details;
  const cents = sumOf(entry.details);
  const by = ranBy(entry.details);
  return (
    <QueueRow selected={selected}>
      <QueueCell column="name">
        <RowLink to="/admin/audit" id={entry._id}>
          <b className="font-semibold">{actionText(t, entry.action)}</b>
        </RowLink>
      </QueueCell>
      <QueueCell column="what">
        <span className="flex flex-wrap gap-x-2">
          {entry.people.map((person) => (
            <UserName key={person._id} user={person} />
          ))}
          {cents === null ? null : <span className="lining-nums tabular-nums">{usd(cents)}</span>}
        </span>
        <span className={cn(entry.people.length > 0 && 'block text-sm/[1.4] text-muted-foreground')}>
          {subjectText(t, entry.subject)}
        </span>
        {typeof reason === 'string' && reason !== '' ? (
          <span className="line-clamp-2 text-sm/[1.4] wrap-anywhere text-muted-foreground">{reason}</span>
        ) : null}
      </QueueCell>
      <QueueCell column="sum" className="text-sm/[1.4]">
        {entry.actor ? <UserName user={entry.actor} /> : t('operator')}
        {by ? <span className="block wrap-anywhere text-muted-foreground">{by}</span> : null}
      </QueueCell>
      <QueueCell column="state" className="text-sm/[1.4] lining-nums tabular-nums">
        {formatTime(entry.at, 'moment')}
      </QueueCell>
    </QueueRow>
  );
}

/** /admin/audit: actions of admins and operators, newest first. */
export function AuditPage() {
  useAhead(loadReview);
  const t = useTexts(adminRecords);
  const list = useAdminList({ search: route.useSearch(), navigate: route.useNavigate(), query: auditQuery });
  const { search, rows } = list;
  const { reviewed, onNext, onClose } = useRowReview(list);
  return (
    <QueuePage
      title={t('auditPage')}
      heading={t('audit')}
      list={list}
      failure={t('auditFailed')}
      filter={<AuditFilter search={search} onChoose={list.choose} />}
      table={
        <QueueRows label={t('audit')} heads={[t('action'), t('subject'), t('who'), t('when')]}>
          {rows.map((entry) => (
            <Line key={entry._id} entry={entry} selected={entry._id === search.review} />
          ))}
        </QueueRows>
      }
      empty={<EmptyState title={t('auditEmpty')} />}
    >
      {reviewed ? <EntryReview key={reviewed.row._id} entry={reviewed.row} onNext={onNext} onClose={onClose} /> : null}
    </QueuePage>
  );
}
