import type { ReactNode } from 'react';
import type { Claim, DepositStatus, Operation, PaymentMethod, Requester, WithdrawalStatus } from '@/api/contract';
import { RequestBadge } from '@/components/khata/status-badge';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { khata } from '@/i18n/en/khata';
import { cn } from '@/lib/cn';
import { bdt, type Cents, type Poisha, usd } from '@/lib/money';
import { useMe } from '@/lib/queries';
import { useNow } from '@/lib/time';
import { ageText, LATE_AFTER } from './age';

/** A request as a line of a queue. */
export type QueueLine = {
  id: string;
  user: Requester;
  /** The transaction id or the phone number. */
  reference: string;
  method: PaymentMethod;
  cents: Cents;
  /** What was claimed, where something else was credited. */
  instead?: Cents | undefined;
  poisha: Poisha;
  since: string;
  status: DepositStatus | WithdrawalStatus;
  claim: Claim | null;
  operation: Operation | undefined;
  /** What is unusual about it. */
  marks?: readonly ('disputed' | 'awaiting')[];
};

/** For how long something waits; in another colour when that is long. */
export function Age({ since }: { since: string }) {
  const t = useTexts(admin);
  const age = useNow() - Date.parse(since);
  return <span className={cn('num', age >= LATE_AFTER && 'rust b')}>{ageText(t, age)}</span>;
}

function OnIt({ claim }: { claim: Claim | null }) {
  const t = useTexts(admin);
  const me = useMe();
  const now = useNow();
  if (!claim || claim.admin._id === me._id || Date.parse(claim.until) <= now) return null;
  return <span className="t14 m block">{t('isOnIt', { name: claim.admin.username })}</span>;
}

function State({ line, ages }: { line: QueueLine; ages: boolean }) {
  const t = useTexts(admin);
  if (line.operation) return <span className="t14 b">{t('processing')}</span>;
  if (line.status !== 'pending' || !ages) return <RequestBadge status={line.status} />;
  return (
    <>
      <Age since={line.since} />
      <OnIt claim={line.claim} />
    </>
  );
}

type LineProps = { line: QueueLine; selected: boolean; ages: boolean; link: (children: ReactNode) => ReactNode };

function Line({ line, selected, ages, link }: LineProps) {
  const t = useTexts(admin);
  const k = useTexts(khata);
  return (
    <tr className={cn('qrow', selected && 'sel')}>
      <td>
        {link(<b className="b">{line.user.username}</b>)}
        <span className="m t14 clip block">{line.user.email}</span>
      </td>
      <td>
        <span className="mono b">{line.reference}</span>
        <span className="m t14 block">{k(`method.${line.method}`)}</span>
        {line.marks?.map((mark) => (
          <span key={mark} className="t14 rust b block">
            {t(`mark.${mark}`)}
          </span>
        ))}
      </td>
      <td className="end">
        <span className="cash">{usd(line.cents)}</span>
        {line.instead === undefined ? null : <s className="t14 mm num block">{usd(line.instead)}</s>}
        <span className="bdt block">{bdt(line.poisha)}</span>
      </td>
      <td className="end">
        <State line={line} ages={ages} />
      </td>
    </tr>
  );
}

type Props = {
  lines: readonly QueueLine[];
  label: string;
  heads: readonly [user: string, reference: string, amount: string, state: string];
  selected: string | undefined;
  /** Waiting rows say how long they wait, not that they do. */
  ages: boolean;
  /** Makes the link that opens a row's review. */
  link: (id: string, children: ReactNode) => ReactNode;
};

type RowsProps = {
  label: string;
  heads: Props['heads'];
  /** The second column is what somebody wrote. */
  words?: boolean;
  children: ReactNode;
};

/** The table of a queue: four columns, on a phone two lines of two; words have a line to themselves. */
export function QueueRows({ label, heads, words = false, children }: RowsProps) {
  return (
    <table className={cn('datatable qtable', words && 'qtable--words')} aria-label={label}>
      <thead>
        <tr>
          {heads.map((head, index) => (
            <th key={head} scope="col" className={cn(index >= 2 && 'end')}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** A page of a queue of requests. */
export function QueueTable({ lines, label, heads, selected, ages, link }: Props) {
  return (
    <QueueRows label={label} heads={heads}>
      {lines.map((line) => (
        <Line
          key={line.id}
          line={line}
          selected={line.id === selected}
          ages={ages}
          link={(children) => link(line.id, children)}
        />
      ))}
    </QueueRows>
  );
}
