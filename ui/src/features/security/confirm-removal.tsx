import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { PendingButton } from '@/components/pending-button';
import { withoutCancelled } from './queries';

type Props = {
  title: string;
  children: ReactNode;
  yes: string;
  no: string;
  mutation: UseMutationResult<unknown, Error, void>;
  onClose: () => void;
};

/** Confirms a removal, and stays open with the reason if it fails. */
export function ConfirmRemoval({ title, children, yes, no, mutation, onClose }: Props) {
  const { isPending, error, mutate } = mutation;
  return (
    <ConfirmDialog
      busy={isPending}
      onClose={onClose}
      title={title}
      text={<p>{children}</p>}
      error={withoutCancelled(error)}
      action={
        <PendingButton variant="destructive" pending={isPending} onClick={() => mutate()}>
          {yes}
        </PendingButton>
      }
      cancel={no}
    />
  );
}
