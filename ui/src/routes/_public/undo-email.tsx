import { createFileRoute } from '@tanstack/react-router';
import { UndoEmailPage } from '@/features/session/undo-email-page';

export const Route = createFileRoute('/_public/undo-email')({
  component: UndoEmailPage,
});
