import { createFileRoute } from '@tanstack/react-router';
import { NotMyFactorPage } from '@/features/session/mail-link-pages';

export const Route = createFileRoute('/_public/not-my-factor')({
  component: NotMyFactorPage,
});
