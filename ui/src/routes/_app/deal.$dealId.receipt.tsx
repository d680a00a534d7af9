import { createFileRoute } from '@tanstack/react-router';
import { DealReceiptPage } from '@/features/deals/detail/receipt-page';

// Without a loader: whoever comes from the deal has it.
export const Route = createFileRoute('/_app/deal/$dealId/receipt')({ component: DealReceiptPage });
