import { createFileRoute } from '@tanstack/react-router';
import { ConfirmWithdrawalPage } from '@/features/session/mail-link-pages';

export const Route = createFileRoute('/_public/confirm-withdrawal')({
  component: ConfirmWithdrawalPage,
});
