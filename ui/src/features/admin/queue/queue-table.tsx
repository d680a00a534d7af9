import type { ReactNode } from 'react';
import type { Claim, DepositStatus, Operation, PaymentMethod, Requester, WithdrawalStatus } from '@/api/contract';
import { CASH, CODE, TAKA } from '@/components/classes';
import { useMe } from '@/entities/user/queries';
import { UserName } from '@/entities/user/user-name';
import { RequestBadge } from '@/entities/wallet/request-badge';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { khata } from '@/i18n/en/khata';
import { cn } from '@/lib/cn';
import { bdt, type Cents, type Poisha, usd } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { ageText, LATE_AFTER } from './age';
import { QueueCell, type QueueHeads, QueueRow, QueueRows } from './queue-rows';

export type QueueLine = {
  id: string;
  user: Requester;
  reference: string;
  method: PaymentMethod;
  cents: Cents;
  /** The claimed amount, if another one was credited. */
  instead?: Cents | undefined;
  poisha: Poisha;
  since: string;
  status: DepositStatus | WithdrawalStatus;
  claim: Claim | null;
  operation: Operation | undefined;
  marks?: readonly ('first' | 'disputed' | 'awaiting')[];
};

export function Age({ since }: { since: string }) {
  const t = useTexts(admin);
  const age = useNow() - Date.parse(since);
  return (
    <span className={cn('lining-nums tabular-nums', age >= LATE_AFTER && 'font-semibold text-destructive')}>
      {ageText(t, age)}
    </span>
  );
}

export function OnIt({ claim }: { claim: Claim | null }) {
  const t = useTexts(admin);
  const me = useMe();
  const now = useNow();
  if (!claim || claim.admin._id === me._id || Date.parse(claim.until) <= now) return null;
  return <span className="block text-sm/[1.4] text-muted-foreground">{t('isOnIt', { name: claim.admin.username })}</span>;
}

function State({ line, ages }: { line: QueueLine; ages: boolean }) {
  const t = useTexts(admin);
  if (line.operation) return <span className="text-sm/[1.4] font-semibold">{t('processing')}</span>;
  if (line.status !== 'pending' || !ages) return <RequestBadge status={line.status} />;
  return (
    <>
      <Age since={line.since} />
      <OnIt claim={line.claim} />
    </>
  );
}

type LineProps = {
  line: QueueLine;
  selected: boolean;
  ages: boolean;
  link: (children: ReactNode) => ReactNode;
};

function Line({ line, selected, ages, link }: LineProps) {
  const t = useTexts(admin);
  const tKhata = useTexts(khata);
  const under = 'block text-sm/[1.4]';
  return (
    <QueueRow selected={selected}>
      <QueueCell column="name">
        {link(<UserName user={line.user} className="font-semibold" />)}
        <span className="block truncate text-sm/[1.4] text-muted-foreground">{line.user.email}</span>
      </QueueCell>
      <QueueCell column="what">
        <span className={cn(CODE, 'font-semibold')}>{line.reference}</span>
        <span className={cn(under, 'text-muted-foreground')}>{tKhata(`method.${line.method}`)}</span>
        {line.marks?.map((mark) => (
          <span key={mark} className={cn(under, 'font-semibold text-destructive')}>
            {t(`mark.${mark}`)}
          </span>
        ))}
      </QueueCell>
      <QueueCell column="sum">
        <span className={CASH}>{usd(line.cents)}</span>
        {line.instead === undefined ? null : (
          <s className={cn(under, 'text-subtle-foreground lining-nums tabular-nums')}>{usd(line.instead)}</s>
        )}
        <span className={cn(TAKA, under, 'leading-[1.4]')}>{bdt(line.poisha)}</span>
      </QueueCell>
      <QueueCell column="state">
        <State line={line} ages={ages} />
      </QueueCell>
    </QueueRow>
  );
}

type Props = {
  lines: readonly QueueLine[];
  label: string;
  heads: QueueHeads;
  selected: string | undefined;
  ages: boolean;
  link: (id: string, children: ReactNode) => ReactNode;
};

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
