import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from '@/components/failure';
import { PendingButton } from '@/components/pending-button';
import {
  AlertDialog,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogHeader,
  AlertDialogTitle,
} from '@/components/ui/alert-dialog';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { withoutCancelled } from './use-factor';

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
    <AlertDialog open onOpenChange={(open) => (open || isPending ? null : onClose())}>
      <AlertDialogContent>
        <AlertDialogHeader>
          <AlertDialogTitle>{title}</AlertDialogTitle>
          <AlertDialogDescription>{children}</AlertDialogDescription>
        </AlertDialogHeader>
        <div className="mt-4 empty:hidden [&:has(>:empty)]:hidden">
          <Failure error={withoutCancelled(error)} />
        </div>
        <AlertDialogFooter>
          <PendingButton variant="destructive" pending={isPending} pendingText={t('sending')} onClick={() => mutate()}>
            {yes}
          </PendingButton>
          <AlertDialogCancel disabled={isPending}>{no}</AlertDialogCancel>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}
