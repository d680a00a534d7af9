import { Section } from '@/components/khata/section';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { formatTime } from '@/lib/time';
import { type DealView, isUnaccepted } from './deal';

/** Before the payment: the stations of the deal. What has happened is solid, what will is stitched. */
export function After({ view }: { view: DealView }) {
  const t = useTexts(deals);
  const { deal, side, other } = view;
  const buying = side === 'buyer';
  const name = other.username;
  const waits = isUnaccepted(deal);
  return (
    <Section title={buying ? t('after.you') : t('after.other', { name })}>
      <ol className="steps">
        <li className="done">
          {t('after.offered')}
          <small>{formatTime(deal.createdAt, 'moment')}</small>
        </li>
        {waits ? (
          <li className="next" aria-current="step">
            {t('after.accepted')}
            <small>{buying ? t('after.acceptedBuyer', { name }) : t('after.acceptedSeller')}</small>
          </li>
        ) : null}
        <li {...(waits ? {} : ({ className: 'next', 'aria-current': 'step' } as const))}>
          {t('after.paid')}
          <small>{buying ? t('after.paidBuyer', { name }) : t('after.paidSeller')}</small>
        </li>
        <li>
          {t('after.delivered')}
          <small>{t('after.by', { when: formatTime(deal.dueAt, 'moment') })}</small>
        </li>
        <li>
          {t('after.completed')}
          <small>
            {buying ? t('after.completedBuyer') : t('after.completedSeller', { name })},{' '}
            {t('after.orDays', { count: deal.inspectionDays })}
          </small>
        </li>
      </ol>
    </Section>
  );
}
