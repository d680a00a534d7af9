import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Deposit, DepositWait, PaymentMethod } from '@/api/contract';
import { Button } from '@/components/ui/button';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { useResendVerification } from '@/entities/user/verification';
import { useTexts } from '@/i18n';
import { checking } from '@/i18n/en/balance';
import { khata } from '@/i18n/en/khata';
import { api, send } from '@/lib/api';
import { type Cents, centsFromWire, usd } from '@/lib/money';
import { pollEvery } from '@/lib/realtime/live';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import { receiversQuery } from './queries';

const WHILE_WAITING = 15_000;

/** The user's deposits awaiting review, newest first, and the usual duration. */
export const pendingDepositsQuery = queryOptions({
  queryKey: [...keys.deposits, 'pending'] as const,
  queryFn: ({ signal }) => send(api.GET('/deposits/pending', { signal })),
  refetchInterval: ({ state }) => (state.data?.deposits.length ? pollEvery(WHILE_WAITING) : false),
  // The components show failures.
  meta: { quiet: true },
});

export const depositQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.deposits, 'one', id],
    queryFn: ({ signal }) => send(api.GET('/deposits/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.deposit.status === 'pending' ? pollEvery(WHILE_WAITING) : false),
    meta: { quiet: true },
  });

/** Reports whether deposits by a method are credited without an admin. */
export function useAutomatic(): (method: PaymentMethod) => boolean {
  const { data } = useQuery(receiversQuery);
  return (method) => data?.some(({ paymentMethod, automatic }) => paymentMethod === method && automatic) ?? false;
}

const sumOf = (deposits: readonly Deposit[]): Cents =>
  deposits.reduce((sum, { claimedAmount }) => sum + centsFromWire(claimedAmount), 0);

export const CHECKING_LIST = 'checking';

/** "$100.00 being checked" under the balance, linked to the deposit or the list. */
export function CheckingLine() {
  const t = useTexts(checking);
  const { data } = useQuery(pendingDepositsQuery);
  const deposits = data?.deposits ?? [];
  const [first, ...others] = deposits;
  if (!first) return null;
  const words = t('sum', { sum: usd(sumOf(deposits)) });
  const className = 'inline-flex min-h-11 items-center text-sm text-muted-foreground';
  return (
    <p data-slot="checking" aria-live="polite" className="-my-1.5">
      {others.length === 0 ? (
        <Link to="/balance/deposits/$depositId" params={{ depositId: first._id }} className={className}>
          {words}
        </Link>
      ) : (
        <Link to="/balance" hash={CHECKING_LIST} className={className}>
          {words}
        </Link>
      )}
    </p>
  );
}

const ROUNDED_TO = 5;
const LONG = 90;

/** A deposit that is not credited after this time is checked by an admin. */
const SMS_TIME = 2 * 60_000;

/**
 * How long a check takes: until the SMS arrives, or when it goes on, or the usual time, rounded up
 * to five minutes, and from 90 minutes on to hours, or else the hours of checking.
 */
export function useWaitText(): (wait: DepositWait, deposit: Deposit) => string {
  const t = useTexts(checking);
  const tKhata = useTexts(khata);
  const automatic = useAutomatic();
  const now = useNow();
  return ({ usualMinutes: minutes, from, to, nextOpenAt }, { paymentMethod, createdAt, disputed }) => {
    if (automatic(paymentMethod) && !disputed && now - Date.parse(createdAt) < SMS_TIME) {
      return t('sms', { method: tKhata(`method.${paymentMethod}`) });
    }
    if (nextOpenAt !== null) return t('closed', { when: formatTime(nextOpenAt, 'moment') });
    if (minutes === null) {
      const clock = (hour: string) => formatTime(`2026-01-01T${hour}:00+06:00`, 'clock');
      return from === '00:00' && to === '24:00' ? t('anyHour') : t('hours', { from: clock(from), to: clock(to) });
    }
    return minutes > LONG
      ? t('usual.hours', { count: Math.ceil(minutes / 60) })
      : t('usual.minutes', { count: Math.max(ROUNDED_TO, Math.ceil(minutes / ROUNDED_TO) * ROUNDED_TO) });
  };
}

/** How the user learns of the result. Only verified addresses get email. */
export function Told() {
  const t = useTexts(checking);
  const { isVerified } = useMe();
  const resend = useResendVerification();
  if (isVerified) return <p>{t('told')}</p>;
  return (
    <p>
      {t('toldUnverified')}{' '}
      <Button
        variant="link"
        className="min-h-6"
        aria-disabled={resend.isPending || undefined}
        onClick={() => (resend.isPending ? undefined : resend.mutate())}
      >
        {t('verify')}
      </Button>
    </p>
  );
}

/** The deposits that may pay a deal: those that no other deal claims. */
export function sumFor(dealId: string, deposits: readonly Deposit[]): Cents {
  return sumOf(deposits.filter((deposit) => deposit.dealId === null || deposit.dealId === dealId));
}

export type Checked = { sum: Cents; wait: DepositWait; deposit: Deposit };

/** The pending deposits for a deal; null without any, undefined while they load. */
export function useCheckedFor(dealId: string): Checked | null | undefined {
  const { data, isError } = useQuery(pendingDepositsQuery);
  if (!data) return isError ? null : undefined;
  const sum = sumFor(dealId, data.deposits);
  const latest =
    data.deposits.find((deposit) => deposit.dealId === dealId) ?? data.deposits.find(({ dealId: id }) => id === null);
  return latest ? { sum, wait: data.wait, deposit: latest } : null;
}
