import { createFileRoute } from '@tanstack/react-router';
import { NotMyFactorPage } from '@/features/session/not-me-page';

export const Route = createFileRoute('/_public/not-my-factor')({
  component: NotMyFactorPage,
});
