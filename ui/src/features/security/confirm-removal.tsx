import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { PendingButton } from '@/components/pending-button';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
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
  const t = useTexts(common);
  const { isPending, error, mutate } = mutation;
  return (
    <ConfirmDialog
      busy={isPending}
      onClose={onClose}
      title={title}
      text={<p>{children}</p>}
      error={withoutCancelled(error)}
      action={
        <PendingButton variant="destructive" pending={isPending} pendingText={t('sending')} onClick={() => mutate()}>
          {yes}
        </PendingButton>
      }
      cancel={no}
    />
  );
}
