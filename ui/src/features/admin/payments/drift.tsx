import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import type { AdminDrift } from '@/api/contract';
import { QueryPart } from '@/components/query-part';
import { Section } from '@/components/section';
import { Badge } from '@/components/ui/badge';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { adminPayments } from '@/i18n/en/admin';
import { khata } from '@/i18n/en/khata';
import { bdt, centsFromWire } from '@/lib/money';
import { driftQuery } from './queries';

/** "+ ৳500" or "− ৳500". */
function signed(amount: number): string {
  return `${amount < 0 ? '−' : '+'} ${bdt(Math.abs(centsFromWire(amount)))}`;
}

function Method({ drift: { paymentMethod, balance, booked, reasons, unknown } }: { drift: AdminDrift }) {
  const t = useTexts(adminPayments);
  const tKhata = useTexts(khata);
  const unexplained = reasons.find(({ reason }) => reason === 'unexplained');
  const named = reasons.flatMap(({ reason, amount }) =>
    reason === 'unexplained' ? [] : [t(`drift.${reason}`, { sum: signed(amount) })],
  );
  if (unknown > 0) named.push(t('drift.unknown', { count: unknown }));
  return (
    <li className="border-b py-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <b className="font-semibold">{tKhata(`method.${paymentMethod}`)}</b>
        <span className="lining-nums tabular-nums">
          {t('drift.sums', { balance: bdt(centsFromWire(balance)), booked: bdt(centsFromWire(booked)) })}
        </span>
        {unexplained ? (
          <Badge variant="late">
            <CircleAlert aria-hidden="true" /> {t('drift.unexplained', { sum: signed(unexplained.amount) })}
          </Badge>
        ) : (
          <Badge variant="completed">
            <CircleCheck aria-hidden="true" /> {t('drift.matches')}
          </Badge>
        )}
      </p>
      <p className="text-sm text-muted-foreground lining-nums tabular-nums">{named.join('; ')}</p>
    </li>
  );
}

/** The money in the accounts, beside the books; nothing before an account has a balance. */
export function Drift() {
  const t = useTexts(adminPayments);
  return (
    <QueryPart query={useQuery(driftQuery)} failure={t('driftFailed')} skeleton={<Skeleton className="mb-6 h-20" />}>
      {(list) =>
        list.length === 0 ? null : (
          <Section title={t('drift')} size="small" className="mb-6">
            <ul>
              {list.map((drift) => (
                <Method key={drift.paymentMethod} drift={drift} />
              ))}
            </ul>
          </Section>
        )
      }
    </QueryPart>
  );
}
