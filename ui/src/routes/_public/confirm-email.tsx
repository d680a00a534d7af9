import { createFileRoute } from '@tanstack/react-router';
import { ConfirmEmailPage } from '@/features/session/mail-link-pages';

export const Route = createFileRoute('/_public/confirm-email')({
  component: ConfirmEmailPage,
});
