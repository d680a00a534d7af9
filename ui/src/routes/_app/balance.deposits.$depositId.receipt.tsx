import { createFileRoute } from '@tanstack/react-router';
import { DepositReceiptPage } from '@/features/wallet/follow/receipt-page';

// No loader, because the deposit's page has loaded it.
export const Route = createFileRoute('/_app/balance/deposits/$depositId/receipt')({ component: DepositReceiptPage });
