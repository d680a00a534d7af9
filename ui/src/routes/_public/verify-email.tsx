import { createFileRoute } from '@tanstack/react-router';
import { VerifyPage } from '@/features/session/verify-page';

export const Route = createFileRoute('/_public/verify-email')({
  component: VerifyPage,
});
