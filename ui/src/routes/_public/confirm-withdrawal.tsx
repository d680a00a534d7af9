import { createFileRoute } from '@tanstack/react-router';
import { ConfirmWithdrawalPage } from '@/features/session/confirm-withdrawal-page';

export const Route = createFileRoute('/_public/confirm-withdrawal')({
  component: ConfirmWithdrawalPage,
});
