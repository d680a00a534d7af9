import { Link } from '@tanstack/react-router';
import { LifeBuoy, OctagonPause } from 'lucide-react';
import { Button, buttonVariants } from '@/components/ui/button';
import { isOpen } from '@/entities/deal/status';
import { useDealTitle } from '@/entities/deal/use-deal-line';
import { useTexts } from '@/i18n';
import { trouble } from '@/i18n/en/deal-page';
import type { DealActions } from '../actions/use-deal-actions';
import type { DealView } from '../deal-view';

export function SupportLink({ view: { deal } }: { view: DealView }) {
  const t = useTexts(trouble);
  const titleOf = useDealTitle();
  return (
    <Link
      to="/support"
      search={{ dealId: deal._id }}
      state={{ deal: { _id: deal._id, title: titleOf(deal) } }}
      className={buttonVariants({ variant: 'link' })}
    >
      <LifeBuoy className="size-4" aria-hidden="true" />
      {t('support')}
    </Link>
  );
}

type Props = { view: DealView; actions: DealActions };

/** Opens the ways out of an open deal; for others, links to support. */
export function TroubleButton({ view, actions }: Props) {
  const t = useTexts(trouble);
  if (!isOpen(view.deal.status)) return <SupportLink view={view} />;
  return (
    <Button data-slot="trouble" variant="link" disabled={actions.anyBusy} onClick={() => actions.ask('trouble')}>
      <OctagonPause className="size-4" aria-hidden="true" />
      {t('open')}
    </Button>
  );
}
