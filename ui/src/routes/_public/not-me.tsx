import { createFileRoute } from '@tanstack/react-router';
import { NotMePage } from '@/features/session/not-me-page';

export const Route = createFileRoute('/_public/not-me')({
  component: NotMePage,
});
