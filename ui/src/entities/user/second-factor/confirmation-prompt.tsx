import { useLocation } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { lazyPart } from '@/components/lazy-part';
import { answerConfirmation, useConfirmationPrompt } from './confirmation';

const ConfirmationDialog = lazyPart(
  () => import('./confirmation-dialog'),
  () => answerConfirmation(false),
);

/** Shows the confirmation dialog when `withConfirmation` needs it. Mounted once in a frame. */
export function Confirmation({ text }: { text?: string }) {
  const wanted = useConfirmationPrompt();
  const page = useLocation({ select: ({ pathname }) => pathname });
  // Leaving the page declines.
  useEffect(() => () => answerConfirmation(false), [page]);
  return wanted ? (
    <Suspense>
      <ConfirmationDialog wanted={wanted} text={text} />
    </Suspense>
  ) : null;
}
