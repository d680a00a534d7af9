import { createFileRoute } from '@tanstack/react-router';
import { UndoEmailPage } from '@/features/session/mail-link-pages';

export const Route = createFileRoute('/_public/undo-email')({
  component: UndoEmailPage,
});
