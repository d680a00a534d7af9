import { useLocation } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { lazyPart } from '@/components/lazy-part';
import { answerConfirmation, useConfirmationPrompt } from './confirmation';

const ConfirmationDialog = lazyPart(
  () => import('./confirmation-dialog'),
  () => answerConfirmation(false),
);

/** Stands in a frame and asks the user to confirm that it is them when `withConfirmation` needs it. */
export function Confirmation({ text }: { text?: string }) {
  const wanted = useConfirmationPrompt();
  const page = useLocation({ select: ({ pathname }) => pathname });
  // Whoever leaves the page has not confirmed.
  useEffect(() => () => answerConfirmation(false), [page]);
  return wanted ? (
    <Suspense>
      <ConfirmationDialog wanted={wanted} text={text} />
    </Suspense>
  ) : null;
}
