import { Link } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { Facts, Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { wasRefunded } from '@/entities/deal/khata/holder';
import { heldSum, refundOf } from '@/entities/deal/rules';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { DueText } from '../countdown';
import type { DealView } from '../deal-view';

export function DealMoney({ view }: { view: DealView }) {
  const t = useTexts(deals);
  const { deal, side, other, price, fee, payout } = view;
  const name = other.username;
  const buying = side === 'buyer';
  const paid = deal.activatedAt !== null;
  const done = deal.status === 'Completed';
  const returned = wasRefunded(deal);
  const pays = buying ? t(paid ? 'money.youPaid' : 'money.youPay') : t(paid ? 'money.paid' : 'money.pays', { name });
  const gets = buying ? t(done ? 'money.got' : 'money.gets', { name }) : t(done ? 'money.youGot' : 'money.youGet');
  const back = buying ? t('money.youBack') : t('money.back', { name });
  // A dispute divided the price.
  const part = done ? refundOf(deal) : 0;
  const refunded = buying ? t('money.refundedYou') : t('money.refunded', { name });
  const kept = returned ? price - heldSum(deal) : fee;
  return (
    <Section title={t('money.title')} size="small">
      <Facts
        rows={[
          [pays, usd(price)],
          ...(part > 0 ? [[refunded, usd(-part)] as const] : []),
          ...(kept > 0 ? [[t('money.fee'), usd(-kept)] as const] : []),
        ]}
        total={returned ? [back, usd(heldSum(deal))] : [gets, usd(payout)]}
      />
      {paid ? (
        <Button variant="link" className="mt-2" asChild>
          <Link to="/deal/$dealId/receipt" params={{ dealId: deal._id }}>
            <FileText aria-hidden="true" />
            {t('money.receipt')}
          </Link>
        </Button>
      ) : null}
    </Section>
  );
}

/** Before the payment, the countdown is the heading; later the move has the clock. */
export function DealDatesList({ view }: { view: DealView }) {
  const t = useTexts(deals);
  const { deal, side, other } = view;
  const rows = (
    [
      [t('dates.created'), deal.createdAt],
      [t('dates.paid'), deal.activatedAt],
      [t('dates.delivered'), deal.deliveredAt],
      [t('dates.due'), deal.closedAt === null ? deal.dueAt : null],
      [t('dates.check'), deal.nextAction === 'complete' ? deal.nextActionAt : null],
      [side === 'buyer' ? t('dates.youExit') : t('dates.exit', { name: other.username }), deal.exitAt],
      [t('dates.closed'), deal.closedAt],
    ] as const
  ).flatMap(([label, at]) => (at === null ? [] : [{ label, at }]));
  const title =
    deal.status === 'Pending' ? <DueText dueAt={deal.dueAt} deliveryDuration={deal.deliveryDuration} /> : t('dates.title');
  return (
    <Section title={title} size="small">
      <Facts
        rows={rows.map(({ label, at }) => [
          label,
          <time key={label} dateTime={at}>
            {formatTime(at, 'moment')}
          </time>,
        ])}
      />
    </Section>
  );
}
