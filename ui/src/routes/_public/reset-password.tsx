import { createFileRoute } from '@tanstack/react-router';
import { ResetPage } from '@/features/session/reset-page';

export const Route = createFileRoute('/_public/reset-password')({
  component: ResetPage,
});
