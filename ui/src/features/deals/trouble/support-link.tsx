import { Link } from '@tanstack/react-router';
import { LifeBuoy } from 'lucide-react';
import { buttonVariants } from '@/components/ui/button';
import { useDealTitle } from '@/entities/deal/use-deal-title';
import { useTexts } from '@/i18n';
import { trouble } from '@/i18n/en/trouble';
import type { DealView } from '../deal-view';

export function SupportLink({ view: { deal }, className }: { view: DealView; className?: string }) {
  const t = useTexts(trouble);
  const titleOf = useDealTitle();
  return (
    <Link
      to="/support"
      search={{ dealId: deal._id }}
      state={{ deal: { _id: deal._id, title: titleOf(deal) } }}
      className={buttonVariants({ variant: 'link', className })}
    >
      <LifeBuoy className="size-4" aria-hidden="true" />
      {t('support')}
    </Link>
  );
}
