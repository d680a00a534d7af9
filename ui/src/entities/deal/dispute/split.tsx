import type { DealDispute } from '@/api/contract';
import { Facts, Section } from '@/components/section';
import { useTexts } from '@/i18n';
import { disputeRoom } from '@/i18n/en/disputes';
import { type Cents, centsFromWire, feeOf, usd } from '@/lib/money';
import { formatTime } from '@/lib/time';

export type Split = { buyer: Cents; seller: Cents; fee: Cents };

/** The shares for a buyer's share; the fee is that of the seller's (docs/rules.md#disputes). */
export function splitOf(price: Cents, buyer: Cents): Split {
  const fee = feeOf(price - buyer);
  return { buyer, seller: price - buyer - fee, fee };
}

export function splitFromWire(split: { buyerGets: number; sellerGets: number; fee: number }): Split {
  return { buyer: centsFromWire(split.buyerGets), seller: centsFromWire(split.sellerGets), fee: centsFromWire(split.fee) };
}

export function percentOf(price: Cents, buyer: Cents): number {
  return price === 0 ? 0 : Math.round((buyer * 100) / price);
}

export function partOf(price: Cents, percent: number): Cents {
  return Math.round((price * percent) / 100);
}

/** Names of the parties; null is the reader. */
export type Names = { buyer: string | null; seller: string | null };

type SplitFactsProps = { split: Split; names: Names; price?: Cents };

export function SplitFacts({ split, names, price }: SplitFactsProps) {
  const t = useTexts(disputeRoom);
  const gets = (name: string | null) => (name === null ? t('split.you') : t('split.gets', { name }));
  return (
    <Facts
      rows={[
        [gets(names.buyer), usd(split.buyer)],
        [gets(names.seller), usd(split.seller)],
        [t('split.fee'), usd(split.fee)],
      ]}
      {...(price === undefined ? {} : { total: [t('split.price'), usd(price)] as const })}
    />
  );
}

type Props = { dispute: DealDispute; names: Names };

function useAccepted({ decision, buyer, seller }: DealDispute): string {
  const t = useTexts(disputeRoom);
  const names = [
    ...(decision?.acceptedByBuyer ? [buyer.username] : []),
    ...(decision?.acceptedBySeller ? [seller.username] : []),
  ];
  const [one, other] = names;
  if (one === undefined) return t('decision.acceptedNone');
  return other === undefined ? one : t('decision.acceptedBoth', { one, other });
}

export function DisputeDecision({ dispute, names }: Props) {
  const t = useTexts(disputeRoom);
  const accepted = useAccepted(dispute);
  const { decision, deal } = dispute;
  if (decision === null) return null;
  const { reason, decidedAt, carriedOutAt, by, final } = decision;
  return (
    <Section title={t('decision')} size="small">
      <p className="text-sm text-muted-foreground">
        {t('decision.by', { name: by.username, when: formatTime(decidedAt, 'moment') })}
      </p>
      <SplitFacts split={splitFromWire(decision)} names={names} price={centsFromWire(deal.price)} />
      <p className="mt-3 text-sm text-muted-foreground">{t('decision.reason')}</p>
      <p className="overflow-clip wrap-anywhere whitespace-pre-line">{reason}</p>
      {carriedOutAt === null ? (
        final ? null : (
          <p className="mt-3 text-sm text-muted-foreground">
            {t('decision.accepted')}: {accepted}
          </p>
        )
      ) : (
        <p className="mt-3 text-sm text-muted-foreground">
          {t('decision.carriedOut', { when: formatTime(carriedOutAt, 'moment') })}
        </p>
      )}
    </Section>
  );
}

export function DisputeAppeal({ dispute }: { dispute: DealDispute }) {
  const t = useTexts(disputeRoom);
  const { appeal } = dispute;
  if (appeal === null) return null;
  return (
    <Section title={t('appeal', { name: dispute[appeal.by].username })} size="small">
      <p className="overflow-clip wrap-anywhere whitespace-pre-line">{appeal.text}</p>
      <p className="mt-2 text-sm text-muted-foreground">{t('appeal.sent', { when: formatTime(appeal.at, 'moment') })}</p>
    </Section>
  );
}
