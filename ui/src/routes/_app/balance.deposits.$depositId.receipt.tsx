import { createFileRoute } from '@tanstack/react-router';
import { DepositReceiptPage } from '@/features/wallet/follow/receipt-page';

// Without a loader: whoever comes from the deposit has it.
export const Route = createFileRoute('/_app/balance/deposits/$depositId/receipt')({ component: DepositReceiptPage });
