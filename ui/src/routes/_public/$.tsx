import { createFileRoute } from '@tanstack/react-router';
import { NotFoundPage } from '@/features/shell/stand-ins';

/** Addresses that lead nowhere: what is around the page leads on. */
export const Route = createFileRoute('/_public/$')({
  component: NotFoundPage,
  codeSplitGroupings: [], // the page is in the entry anyway, for what is not found elsewhere
});
