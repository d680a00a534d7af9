import type { InviteOffer } from '@/api/contract';
import { Section } from '@/components/section';
import { useTexts } from '@/i18n';
import { invite as catalogue } from '@/i18n/en/invite';
import { centsFromWire, count, usd } from '@/lib/money';

export function OfferSteps({ offer }: { offer: InviteOffer }) {
  const t = useTexts(catalogue);
  const name = offer.maker.username;
  const payout = usd(centsFromWire(offer.payout));
  const days = offer.inspectionDays;
  const steps =
    offer.role === 'Seller'
      ? [
          [t('how.joinBuy'), t('how.joinBuyText', { name })],
          [t('how.deliverBuy', { name }), t('how.deliverBuyText', { count: days })],
          [t('how.releaseBuy'), t('how.releaseBuyText', { name, payout })],
        ]
      : [
          [t('how.joinSell', { name }), t('how.joinSellText')],
          [t('how.deliverSell'), t('how.deliverSellText', { name, count: days })],
          [t('how.releaseSell', { name }), t('how.releaseSellText', { payout })],
        ];
  return (
    <Section title={t('how')}>
      <ol className="grid">
        {steps.map(([what, text], index) => (
          <li key={what} className="grid grid-cols-[2rem_minmax(0,1fr)] border-b py-3">
            <span className="font-display text-xl leading-[1.3] font-semibold lining-nums" aria-hidden="true">
              {count(index + 1)}
            </span>
            <span>
              <b className="font-semibold">{what}</b>
              <span className="block text-sm text-muted-foreground">{text}</span>
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
