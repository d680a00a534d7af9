import { useQuery } from '@tanstack/react-query';
import type { DealProof } from '@/api/contract';
import { Fold } from '@/components/fold';
import { PendingButton } from '@/components/pending-button';
import { ShareButton } from '@/components/share-button';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { proof as catalogue } from '@/i18n/en/deal-links';
import { usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import type { DealView } from '../deal-view';
import { heldUrl, proofQuery, useSwitchProof } from './queries';

function Switched({ proof, me }: { proof: DealProof; me: string }) {
  const t = useTexts(catalogue);
  const { changedBy, changedAt, shown } = proof;
  if (!changedBy || !changedAt) return null;
  const when = formatTime(changedAt, 'moment');
  const state = shown ? 'on' : 'off';
  const words = changedBy._id === me ? t(`${state}.you`, { when }) : t(`${state}.other`, { name: changedBy.username, when });
  return <p className="text-sm text-muted-foreground">{words}</p>;
}

export default function ProofCard({ view: { deal, side, price } }: { view: DealView }) {
  const t = useTexts(catalogue);
  const { data: proof } = useQuery(proofQuery(deal._id));
  const change = useSwitchProof(deal._id);
  const open = deal.closedAt === null;
  // A closed deal keeps a page that was on, and cannot turn it on.
  if (!proof || (!open && !proof.shown)) return null;
  const sum = usd(price);
  return (
    <Fold title={t('title')}>
      <div className="grid gap-3" data-slot="proof">
        <p className="text-sm text-muted-foreground">
          {proof.shown ? t(open ? 'onText' : 'closedText', { sum }) : t('offText', { sum })}
        </p>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {proof.code ? (
            <>
              <ShareButton url={heldUrl(proof.code)} title={t('shareTitle')} text={t('shareText')} />
              <Button variant="link" asChild>
                <a href={`/held/${proof.code}`} target="_blank" rel="noopener">
                  {t('open')}
                </a>
              </Button>
            </>
          ) : null}
          <PendingButton variant="outline" pending={change.isPending} onClick={() => change.mutate(!proof.shown)}>
            {t(proof.shown ? 'off' : 'on')}
          </PendingButton>
        </div>
        <Switched proof={proof} me={deal[side]._id} />
      </div>
    </Fold>
  );
}
