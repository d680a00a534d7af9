import { Link } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, CircleCheckBig } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AdminDeposit, Party } from '@/api/contract';
import { CopyButton } from '@/components/copy-button';
import { Note } from '@/components/note';
import { Facts } from '@/components/section';
import { Button } from '@/components/ui/button';
import { UserName } from '@/entities/user/user-name';
import { type Translate, useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { cn } from '@/lib/cn';
import { formatTime } from '@/lib/time';
import type { ClaimState } from './use-review';

type Kind = 'deposits' | 'withdrawals';

/** What was decided of the user's other requests before this one, and how many wait. */
export function historyText(
  t: Translate<typeof admin>,
  kind: Kind,
  { approved, refused, waiting }: AdminDeposit['history'],
): string {
  const others = waiting > 0 ? [t('history.waiting', { count: waiting })] : [];
  if (approved + refused > 0) return [t(`history.${kind}`, { approved, refused }), ...others].join('; ');
  return others.length > 0 ? [t('history.none'), ...others].join('; ') : t(`history.first.${kind}`);
}

export function PersonLink({ person }: { person: Pick<Party, '_id' | 'username' | 'isStaff'> }) {
  return (
    <Link to="/admin/users" search={{ review: person._id }}>
      <UserName user={person} />
    </Link>
  );
}

type Handled = { handledAt: string | null; handledBy: Party | null; reason?: string | null };

export function HandledRows({ row, more = [] }: { row: Handled; more?: readonly (readonly [string, string])[] }) {
  const t = useTexts(admin);
  const when = row.handledAt ? formatTime(row.handledAt, 'moment') : '';
  const handled = row.handledBy ? t('handledBy', { when, name: row.handledBy.username }) : when;
  return <Facts rows={[[t('handled'), handled], ...more, ...(row.reason ? [[t('reasonGiven'), row.reason] as const] : [])]} />;
}

export function NextButton({ onNext, plain = false }: { onNext: (() => void) | null; plain?: boolean }) {
  const t = useTexts(admin);
  return onNext ? (
    <Button variant={plain ? 'outline' : 'default'} className="min-w-0 flex-1" onClick={onNext}>
      {t('nextOne')}
    </Button>
  ) : null;
}

export function Copied({
  label,
  value,
  shown = value,
  what,
  done,
}: {
  label: ReactNode;
  value: string;
  shown?: string;
  what: string;
  done: string;
}) {
  const t = useTexts(admin);
  return (
    <div className="flex items-center justify-between gap-3 border-y border-border-strong py-2.5 [&+&]:border-t-0">
      <div>
        <span className="text-sm text-muted-foreground">{label}</span>
        <b className="block font-display text-2xl leading-[1.2] font-semibold tracking-[0.01em]">{shown}</b>
      </div>
      <CopyButton value={value} label={what} done={done}>
        {t('copy')}
      </CopyButton>
    </div>
  );
}

/** Whether something speaks for a payment. */
export function Mark({ good, children }: { good: boolean; children: ReactNode }) {
  const Icon = good ? CircleCheck : CircleAlert;
  return (
    <p className={cn('flex items-center gap-1.5 text-sm font-semibold', good ? 'text-status-done' : 'text-destructive')}>
      <Icon className="size-4 shrink-0" aria-hidden="true" /> {children}
    </p>
  );
}

/** The id was used before: a failed deposit with it may be a second try or a fraud. */
export function UsedBefore({ times }: { times: number }) {
  const t = useTexts(admin);
  return (
    <div className="-mt-1.5">
      <Mark good={times === 0}>{times > 0 ? t('usedBefore', { count: times }) : t('neverUsed')}</Mark>
    </div>
  );
}

export function ClaimNote({ claim }: { claim: ClaimState }) {
  const t = useTexts(admin);
  const take = (
    <Button variant="link" onClick={claim.take}>
      {t('take')}
    </Button>
  );
  const note = () => {
    if (claim.own) return <Note kind="wait">{t('own')}</Note>;
    if (claim.others)
      return (
        <Note kind="wait">
          {t('others', { name: claim.others.admin.username, time: formatTime(claim.others.until, 'moment') })}
        </Note>
      );
    if (claim.opened && !claim.refusal) {
      return (
        <Note kind="bad">
          {t('openedBefore', { name: claim.opened.by.username, time: formatTime(claim.opened.at, 'moment') })} {take}
        </Note>
      );
    }
    if (claim.refusal) return <Note kind="wait">{claim.refusal}</Note>;
    if (claim.mine)
      return <p className="text-sm text-muted-foreground">{t('yours', { time: formatTime(claim.mine.until, 'moment') })}</p>;
    if (claim.lapsed) {
      return (
        <p className="text-sm text-muted-foreground">
          {t('yoursOver')} {take}
        </p>
      );
    }
    return null;
  };
  return (
    <div role="status" aria-live="polite" className="empty:absolute">
      {note()}
    </div>
  );
}

export function Result({ outcome, refused }: { outcome: string | null; refused: string | null }) {
  return (
    <div role="status" aria-live="polite" className="empty:absolute">
      {outcome === null ? null : (
        <Note kind="info" icon={<CircleCheckBig aria-hidden="true" />}>
          <b className="font-semibold">{outcome}</b>
        </Note>
      )}
      {refused === null ? null : <Note kind="wait">{refused}</Note>}
    </div>
  );
}
