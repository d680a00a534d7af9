import type { DealDispute } from '@/api/contract';
import { Section } from '@/components/section';
import { useTexts } from '@/i18n';
import { disputeRoom } from '@/i18n/en/dispute-room';
import { centsFromWire } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { splitFromWire } from './split';
import { type Names, SplitFacts } from './split-facts';

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
