import { createFileRoute } from '@tanstack/react-router';
import { NotMePage } from '@/features/session/mail-link-pages';

export const Route = createFileRoute('/_public/not-me')({
  component: NotMePage,
});
