import { createFileRoute } from '@tanstack/react-router';
import { NotFoundPage } from '@/features/shell/not-found';

/** Addresses that lead nowhere: what is around the page leads on. */
export const Route = createFileRoute('/_public/$')({ component: NotFoundPage });
