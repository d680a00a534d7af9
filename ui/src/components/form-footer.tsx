import type { ReactNode } from 'react';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';

type Props = {
  pending: boolean;
  /** "Cancel" by default. */
  cancel?: string;
  onCancel: () => void;
  children: ReactNode;
};

/** The buttons of a form that can be left: submit, labelled by the children, and cancel. */
export function FormFooter({ pending, cancel, onCancel, children }: Props) {
  const t = useTexts(common);
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-3 max-xs:*:flex-auto">
      <PendingButton type="submit" pending={pending}>
        {children}
      </PendingButton>
      <Button variant="outline" onClick={onCancel}>
        {cancel ?? t('cancel')}
      </Button>
    </div>
  );
}
