import { CircleAlert, CircleCheck, CircleCheckBig } from 'lucide-react';
import type { ReactNode } from 'react';
import { Note } from '@/components/khata/note';
import { CopyButton } from '@/components/ui/copy-button';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { formatTime } from '@/lib/time';
import type { ClaimState } from './use-claim';

/** A figure that has to be compared or typed elsewhere: large, with Copy. */
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
  /** For screen readers: what is copied. */
  what: string;
  done: string;
}) {
  const t = useTexts(admin);
  return (
    <div className="trx">
      <div>
        <span className="m t14">{label}</span>
        <b className="trx__id">{shown}</b>
      </div>
      <CopyButton value={value} label={what} done={done}>
        {t('copy')}
      </CopyButton>
    </div>
  );
}

/** Whether the id was seen before: a failed deposit with the same id may be a second try, or a fraud. */
export function UsedBefore({ times }: { times: number }) {
  const t = useTexts(admin);
  if (times > 0) {
    return (
      <p className="okline okline--bad">
        <CircleAlert className="i16" aria-hidden="true" /> {t('usedBefore', { count: times })}
      </p>
    );
  }
  return (
    <p className="okline">
      <CircleCheck className="i16" aria-hidden="true" /> {t('neverUsed')}
    </p>
  );
}

/** Who works on the row now. Said when it changes. */
export function ClaimNote({ claim }: { claim: ClaimState }) {
  const t = useTexts(admin);
  const take = (
    <button type="button" className="link" onClick={claim.take}>
      {t('take')}
    </button>
  );
  const note = () => {
    if (claim.own) return <Note kind="wait">{t('own')}</Note>;
    if (claim.others)
      return (
        <Note kind="wait">
          {t('others', { name: claim.others.admin.username, time: formatTime(claim.others.until, 'moment') })}
        </Note>
      );
    if (claim.refusal) return <Note kind="wait">{claim.refusal}</Note>;
    if (claim.mine) return <p className="t14 m">{t('yours', { time: formatTime(claim.mine.until, 'moment') })}</p>;
    if (claim.lapsed) {
      return (
        <p className="t14 m">
          {t('yoursOver')} {take}
        </p>
      );
    }
    return null;
  };
  return (
    <div role="status" aria-live="polite">
      {note()}
    </div>
  );
}

/** What became of the row in this review. */
export function Result({ outcome, refused }: { outcome: string | null; refused: string | null }) {
  return (
    <div role="status" aria-live="polite">
      {outcome === null ? null : (
        <Note kind="info" icon={<CircleCheckBig aria-hidden="true" />}>
          <b className="b">{outcome}</b>
        </Note>
      )}
      {refused === null ? null : <Note kind="wait">{refused}</Note>}
    </div>
  );
}
