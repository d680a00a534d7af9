import { createFileRoute } from '@tanstack/react-router';
import { AppealPage } from '@/features/session/appeal-page';

export const Route = createFileRoute('/_public/appeal')({
  component: AppealPage,
});
