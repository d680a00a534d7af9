import type { AdminDeposit, Dispute } from '@/api/contract';
import { Note } from '@/components/note';
import { Facts } from '@/components/section';
import { Button } from '@/components/ui/button';
import { useAutomatic } from '@/entities/wallet/deposits';
import { groupedPhone } from '@/entities/wallet/mobile-money';
import { RequestBadge } from '@/entities/wallet/request-badge';
import { useTexts } from '@/i18n';
import { admin, adminDeposits } from '@/i18n/en/admin';
import { common } from '@/i18n/en/common';
import { khata } from '@/i18n/en/khata';
import { bdt, centsFromWire, localDigits, toPoisha, usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { HandledRows, historyText, Mark, PersonLink } from '../review/review-parts';

function Claim({ claim }: { claim: Dispute }) {
  const t = useTexts(admin);
  const tKhata = useTexts(khata);
  return (
    <>
      {t('disputes.what', {
        sum: usd(centsFromWire(claim.amount)),
        method: tKhata(`method.${claim.paymentMethod}`),
        when: formatTime(claim.createdAt, 'moment'),
      })}
      {claim.status === 'completed' ? <b className="font-semibold">, {t('disputes.credited.mark')}</b> : null}
      <span className="block text-sm text-muted-foreground">
        {t('disputes.since', { day: formatTime(claim.userSince, 'day') })},{' '}
        {t(claim.isVerified ? 'disputes.verified' : 'disputes.unverified')}
      </span>
    </>
  );
}

export const creditedToOther = (disputes: readonly Dispute[]): boolean => disputes.some(({ status }) => status === 'completed');

export function Disputes({ disputes }: { disputes: readonly Dispute[] }) {
  const t = useTexts(admin);
  if (disputes.length === 0) return null;
  return (
    <Note kind="bad" title={t('disputes.title')}>
      <p>{t(creditedToOther(disputes) ? 'disputes.credited' : 'disputes.text')}</p>
      <ul className="mt-2.5 grid gap-2.5 wrap-anywhere">
        {disputes.map((claim) => (
          <li key={claim._id}>
            <PersonLink person={claim.user} />
            <p>
              <Claim claim={claim} />
            </p>
          </li>
        ))}
      </ul>
    </Note>
  );
}

type Props = {
  proposal: NonNullable<AdminDeposit['awaitingConfirmation']>;
  own: boolean;
  disabled: boolean;
  onOther: () => void;
};

export function ProposalNote({ proposal, own, disabled, onOther }: Props) {
  const t = useTexts(admin);
  const sum = usd(centsFromWire(proposal.amount));
  return (
    <Note kind="wait">
      <p>{own ? t('confirm.own', { sum }) : t('confirm.by', { name: proposal.by.username, sum })}</p>
      {proposal.reason === '' ? null : <p>{t('confirm.reason', { reason: proposal.reason })}</p>}
      <Button variant="link" disabled={disabled} onClick={onOther}>
        {t('confirm.other')}
      </Button>
    </Note>
  );
}

/** What the SMS of the payment states, if there is one, and what is wrong with it. */
export function Evidence({ row }: { row: AdminDeposit }) {
  const t = useTexts(adminDeposits);
  const automatic = useAutomatic();
  const { evidence, paymentMethod, status } = row;
  const pending = status === 'pending';
  if (!evidence) return pending && automatic(paymentMethod) ? <p className="text-muted-foreground">{t('sms.none')}</p> : null;
  const poisha = centsFromWire(evidence.amount);
  const more = poisha - toPoisha(centsFromWire(row.claimedAmount), row.rate);
  const paid = evidence.state === 'paid';
  const proven = paid || (evidence.state === 'chained' && !evidence.broken);
  return (
    <div className="grid gap-1">
      <p className="wrap-anywhere">
        {t(paid ? 'checkout.paid' : 'sms', {
          taka: bdt(poisha),
          from: localDigits(evidence.from),
          when: formatTime(evidence.at, 'moment'),
        })}
      </p>
      {evidence.code ? <Mark good>{t('sms.code')}</Mark> : null}
      {pending && more !== 0 ? (
        <Mark good={false}>{t(more > 0 ? 'sms.more' : 'sms.less', { taka: bdt(Math.abs(more)) })}</Mark>
      ) : null}
      {pending && !proven ? <Mark good={false}>{t('sms.unproven')}</Mark> : null}
      {pending && proven && more === 0 ? <Mark good>{t('sms.matches')}</Mark> : null}
    </div>
  );
}

export function DepositFacts({ row }: { row: AdminDeposit }) {
  const t = useTexts(admin);
  const tCommon = useTexts(common);
  const claimed = centsFromWire(row.claimedAmount);
  const handled = row.status !== 'pending';
  return (
    <>
      <Facts
        rows={[
          [
            t('claimed'),
            <>
              {usd(claimed)} <span className="text-muted-foreground">= {bdt(toPoisha(claimed, row.rate))}</span>
            </>,
          ],
          ...(row.status === 'completed' ? [[t('credited'), usd(centsFromWire(row.amount))] as const] : []),
          [t('rateWhenSent'), tCommon('rate', { taka: bdt(toPoisha(100, row.rate)) })],
          ...(row.status === 'pending' && row.creditRate !== row.rate
            ? [
                [
                  t('rateNow'),
                  t('worthNow', {
                    rate: tCommon('rate', { taka: bdt(toPoisha(100, row.creditRate)) }),
                    sum: usd(centsFromWire(row.creditAmount)),
                  }),
                ] as const,
              ]
            : []),
          ...(row.receiver === null ? [] : [[t('receiver'), localDigits(groupedPhone(row.receiver))] as const]),
          [t('sentIn'), formatTime(row.createdAt, 'moment')],
          [
            t('user'),
            <>
              <PersonLink person={row.user} />, {historyText(t, 'deposits', row.history)},{' '}
              {t(row.isVerified ? 'disputes.verified' : 'disputes.unverified')}
            </>,
          ],
        ]}
      />
      {handled ? (
        <>
          <p>
            <RequestBadge status={row.status} />{' '}
            {row.expired ? <span className="text-sm text-muted-foreground">{t('expired')}</span> : null}
          </p>
          <HandledRows row={row} />
        </>
      ) : null}
    </>
  );
}
