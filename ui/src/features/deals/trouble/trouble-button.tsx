import { Link } from '@tanstack/react-router';
import { LifeBuoy, OctagonPause } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, buttonVariants } from '@/components/ui/button';
import { isOpen } from '@/entities/deal/status';
import { useDealTitle } from '@/entities/deal/use-deal-title';
import { useTexts } from '@/i18n';
import { trouble } from '@/i18n/en/trouble';
import type { DealActions } from '../actions/use-deal-actions';
import type { DealView } from '../deal-view';

type Props = { view: DealView; actions: DealActions };

/** The way to /support, which knows the deal from where one comes. */
function SupportLink({ view: { deal }, className, children }: { view: DealView; className: string; children: ReactNode }) {
  const titleOf = useDealTitle();
  return (
    <Link
      to="/support"
      search={{ dealId: deal._id }}
      state={{ deal: { _id: deal._id, title: titleOf(deal) } }}
      className={className}
    >
      {children}
    </Link>
  );
}

/** Under the own move: for an open deal all that can go wrong, else only our support. */
export function TroubleButton({ view, actions }: Props) {
  const t = useTexts(trouble);
  if (!isOpen(view.deal.status)) {
    return (
      <SupportLink view={view} className={buttonVariants({ variant: 'link', className: 'mt-4' })}>
        <LifeBuoy className="size-4" aria-hidden="true" />
        {t('support')}
      </SupportLink>
    );
  }
  return (
    <div data-slot="trouble" className="mt-5 grid gap-3">
      <Button variant="outline" disabled={actions.anyBusy} onClick={() => actions.ask('trouble')} className="w-full">
        <OctagonPause aria-hidden="true" />
        {t('open')}
      </Button>
      <p className="text-sm text-muted-foreground">{t(view.side === 'buyer' ? 'helpBuyer' : 'helpSeller')}</p>
    </div>
  );
}
