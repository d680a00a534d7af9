import type { ReactNode } from 'react';
import { PendingButton } from '@/components/pending-button';
import { Pagination, PaginationNext, PaginationPrevious } from '@/components/ui/pagination';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { lists } from '@/i18n/en/components';
import { LoadFailed } from './load-failed';

type StepProps = { part: typeof PaginationNext; disabled: boolean; onClick: () => void; children: ReactNode };

function Step({ part: Part, children, ...button }: StepProps) {
  return (
    <Part variant="outline" className="gap-1.5 px-2.5" asChild>
      <button type="button" {...button}>
        {children}
      </button>
    </Part>
  );
}

type Props = { page: number; pages: number; onPage: (page: number) => void; label: string };

/** "Previous", "Page x of y", "Next". Renders nothing for a single page. */
export function Pager({ page, pages, onPage, label }: Props) {
  const t = useTexts(common);
  const tLists = useTexts(lists);
  if (pages <= 1) return null;
  return (
    <Pagination className="max-2xs:justify-between max-2xs:whitespace-nowrap" aria-label={label}>
      <Step part={PaginationPrevious} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {t('previous')}
      </Step>
      <span className="px-2.5 text-md tabular-nums" aria-live="polite">
        {tLists('pageOf', { page, pages })}
      </span>
      <Step part={PaginationNext} disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {t('next')}
      </Step>
    </Pagination>
  );
}

type Asked = {
  busy: boolean;
  error: unknown;
  more: () => void;
};

export function MoreFailed({ busy, error, more }: Asked) {
  const t = useTexts(lists);
  if (!error) return null;
  return (
    <div className="mt-4">
      <LoadFailed error={error} fallback={t('showMoreFailed')} busy={busy} onRetry={more} />
    </div>
  );
}

export function ShowMore({ rest, step, ...asked }: Asked & { rest: number; step: number }) {
  const t = useTexts(lists);
  if (rest <= 0) return null;
  return (
    <>
      <PendingButton variant="outline" className="mt-4" pending={asked.busy} pendingText={null} onClick={asked.more}>
        {t('showMore', { count: Math.min(rest, step) })}
      </PendingButton>
      <MoreFailed {...asked} />
    </>
  );
}
