import { createFileRoute } from '@tanstack/react-router';
import { ConfirmEmailPage } from '@/features/session/confirm-email-page';

export const Route = createFileRoute('/_public/confirm-email')({
  component: ConfirmEmailPage,
});
