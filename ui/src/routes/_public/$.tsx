import { createFileRoute } from '@tanstack/react-router';
import { NotFoundPage } from '@/features/shell/not-found';

/** Unknown addresses. */
export const Route = createFileRoute('/_public/$')({ component: NotFoundPage });
