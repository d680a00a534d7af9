import { createFileRoute } from '@tanstack/react-router';
import { StatementPrintPage } from '@/features/wallet/statement/print-page';
import { statementSearch } from '@/features/wallet/wallet-search';

// No loader, because preloading on hover would make many calls.
export const Route = createFileRoute('/_app/balance/statement/print')({
  validateSearch: statementSearch,
  component: StatementPrintPage,
});
