import { createFileRoute } from '@tanstack/react-router';
import { BugPage } from '@/features/feedback/bug-page';

export const Route = createFileRoute('/_public/reportabug')({ component: BugPage });
