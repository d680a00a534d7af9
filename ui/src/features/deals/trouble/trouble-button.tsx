import { OctagonPause } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { isOpen } from '@/entities/deal/status';
import { useTexts } from '@/i18n';
import { trouble } from '@/i18n/en/trouble';
import type { DealActions } from '../actions/use-deal-actions';
import type { DealView } from '../deal-view';
import { SupportLink } from './support-link';

type Props = { view: DealView; actions: DealActions };

/** Opens the ways out of an open deal; for others, links to support. */
export function TroubleButton({ view, actions }: Props) {
  const t = useTexts(trouble);
  if (!isOpen(view.deal.status)) return <SupportLink view={view} className="mt-4" />;
  return (
    <div data-slot="trouble" className="mt-5 grid gap-3">
      <Button variant="outline" disabled={actions.anyBusy} onClick={() => actions.ask('trouble')} className="w-full">
        <OctagonPause aria-hidden="true" />
        {t('open')}
      </Button>
      {view.disputeId === null ? (
        <p className="text-sm text-muted-foreground">{t(view.side === 'buyer' ? 'helpBuyer' : 'helpSeller')}</p>
      ) : null}
    </div>
  );
}
