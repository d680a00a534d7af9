import { createFileRoute } from '@tanstack/react-router';
import { StatementPrintPage } from '@/features/wallet/statement/print-page';
import { statementSearch } from '@/features/wallet/statement/statement-search';

// Without a loader: it may take many calls, which are not for a pointer that only rests on the link.
export const Route = createFileRoute('/_app/balance/statement/print')({
  validateSearch: statementSearch,
  component: StatementPrintPage,
});
