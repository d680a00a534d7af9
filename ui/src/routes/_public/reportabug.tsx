import { createFileRoute } from '@tanstack/react-router';
import { BugPage } from '@/features/help/bug-page';

export const Route = createFileRoute('/_public/reportabug')({ component: BugPage });
