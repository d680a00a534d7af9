import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { EmptyState } from '@/components/empty-state';
import { LoadFailed } from '@/components/load-failed';
import { useTexts } from '@/i18n';
import { wallet } from '@/i18n/en/wallet';
import { depositsQuery, withdrawalsQuery } from '../queries';
import { useLoadFailure } from '../use-load-failure';
import { HistoryList, HistorySkeleton } from './history-list';
import { depositRow, type HistoryRow, withdrawalRow } from './history-rows';

export type HistoryKind = 'deposits' | 'withdrawals';
type Loaded = { rows: HistoryRow[]; pages: number; total: number };

/** A page of one of the histories; the other one is not loaded. */
export function useHistory(kind: HistoryKind, page: number) {
  const t = useTexts(wallet);
  const incoming = kind === 'deposits';
  const deposits = useQuery({ ...depositsQuery(page), enabled: incoming });
  const withdrawals = useQuery({ ...withdrawalsQuery(page), enabled: !incoming });
  const query = incoming ? deposits : withdrawals;
  useLoadFailure(query, t('historyFailed'));
  const data = query.data;
  const rows = incoming
    ? deposits.data?.deposits.map((deposit) => depositRow(t, deposit))
    : withdrawals.data?.withdrawals.map((withdrawal) => withdrawalRow(t, withdrawal));
  const loaded: Loaded | null = data && rows ? { rows, pages: data.pages, total: data.total } : null;
  return { loaded, failed: query.isLoadingError ? query.error : null, retry: () => void query.refetch() };
}

type HistoryViewProps = {
  kind: HistoryKind;
  history: ReturnType<typeof useHistory>;
  limit?: number;
  first?: ReactNode;
};

export function HistoryView({ kind, history, limit, first }: HistoryViewProps) {
  const t = useTexts(wallet);
  if (history.failed !== null) {
    return <LoadFailed error={history.failed} fallback={t('historyFailed')} said onRetry={history.retry} />;
  }
  if (!history.loaded) return <HistorySkeleton />;
  const rows = limit === undefined ? history.loaded.rows : history.loaded.rows.slice(0, limit);
  if (rows.length === 0) {
    return (
      <EmptyState title={t(`none.${kind}`)} text={t(`none.${kind}Text`)}>
        {first}
      </EmptyState>
    );
  }
  return <HistoryList rows={rows} reference={t(kind === 'deposits' ? 'transactionId' : 'number')} />;
}
