import { Link } from '@tanstack/react-router';
import { CopyButton } from '@/components/copy-button';
import { Breadcrumb, BreadcrumbItem, BreadcrumbLink, BreadcrumbList, BreadcrumbSeparator } from '@/components/ui/breadcrumb';
import { StatusBadge } from '@/entities/deal/status-badge';
import { shortId } from '@/entities/deal/title';
import { useDealTitle } from '@/entities/deal/use-deal-title';
import { UserAvatar } from '@/entities/user/user-avatar';
import { UserName } from '@/entities/user/user-name';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { DealFlags } from '../deal-flags';
import type { DealView } from '../deal-view';
import { useRelation } from '../use-relation';
import { useStatusSentence } from './status-sentence';

export function DealHead({ view }: { view: DealView }) {
  const t = useTexts(deals);
  const titleOf = useDealTitle();
  const { deal, other } = view;
  const sentence = useStatusSentence(view);
  const relation = useRelation()(deal);
  return (
    <>
      <Breadcrumb aria-label={t('crumb')}>
        <BreadcrumbList>
          <BreadcrumbItem>
            <BreadcrumbLink asChild>
              <Link to="/deal">{t('crumb')}</Link>
            </BreadcrumbLink>
          </BreadcrumbItem>
          <BreadcrumbSeparator />
          <BreadcrumbItem>
            <CopyButton
              value={deal._id}
              label={t('copyId')}
              done={t('idCopied')}
              variant="link"
              className="px-1 font-normal text-muted-foreground tabular-nums no-underline hover:text-pen"
            >
              {t('id', { id: shortId(deal._id) })}
            </CopyButton>
          </BreadcrumbItem>
        </BreadcrumbList>
      </Breadcrumb>
      <div className="mb-6 grid gap-3">
        <h1 className="-my-2 overflow-clip py-2 font-display text-display-lg">{titleOf(deal)}</h1>
        {/* First after the title for screen readers, but visually above the hold. */}
        <p className="order-3 max-w-[76ch] text-[clamp(1.0625rem,1rem+0.2vw,1.1875rem)]" role="status" aria-live="polite">
          <b className="font-semibold">{sentence.lead}</b> {sentence.rest}
        </p>
        <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
          <StatusBadge status={deal.status} />
          <DealFlags deal={deal} />
          <div className="inline-flex min-h-11 min-w-0 items-center gap-2.5">
            <UserAvatar name={other.username} picture={other.profilePic} size="sm" />
            <span>
              <UserName user={other} className="font-semibold" /> <span className="text-muted-foreground">{relation}</span>
            </span>
          </div>
        </div>
      </div>
    </>
  );
}
