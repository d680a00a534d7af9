import { Ban } from 'lucide-react';
import type { RefObject } from 'react';
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
import { useReturnFocus } from '@/hooks/use-focus';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { moderation } from '@/i18n/en/moderation';
import { type Blockable, useBlock } from './blocks';

const CONSEQUENCES = ['block.does.1', 'block.does.2', 'block.does.3', 'block.does.4'] as const;

type Props = {
  person: Blockable;
  open: boolean;
  onClose: () => void;
  /** Gets the focus back afterwards. */
  opener: RefObject<HTMLElement | null>;
};

export function BlockDialog({ person, open, opener, onClose }: Props) {
  const t = useTexts(moderation);
  const tCommon = useTexts(common);
  const focus = useReturnFocus(opener);
  const { block } = useBlock(person);
  const name = person.username;
  return (
    <AlertDialog open={open} onOpenChange={(wanted) => (wanted ? null : onClose())}>
      <AlertDialogContent className="wrap-anywhere" onOpenAutoFocus={focus.remember} onCloseAutoFocus={focus.giveBack}>
        <AlertDialogHeader>
          <AlertDialogTitle>{t('block.ask', { name })}</AlertDialogTitle>
          <AlertDialogDescription asChild>
            <ul className="grid list-disc gap-1.5 pl-5 marker:text-subtle-foreground">
              {CONSEQUENCES.map((line) => (
                <li key={line}>{line === 'block.does.4' ? t(line, { name }) : t(line)}</li>
              ))}
            </ul>
          </AlertDialogDescription>
        </AlertDialogHeader>
        <AlertDialogFooter>
          <PendingButton
            variant="destructive"
            pending={block.isPending}
            pendingText={tCommon('sending')}
            onClick={() => block.mutate(undefined, { onSuccess: onClose })}
          >
            <Ban aria-hidden="true" />
            {t('block.yes')}
          </PendingButton>
          <AlertDialogCancel>{tCommon('cancel')}</AlertDialogCancel>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}
