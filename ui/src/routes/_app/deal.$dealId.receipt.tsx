import { createFileRoute } from '@tanstack/react-router';
import { DealReceiptPage } from '@/features/deals/detail/receipt-page';

// No loader, because the deal's page has loaded it.
export const Route = createFileRoute('/_app/deal/$dealId/receipt')({ component: DealReceiptPage });
