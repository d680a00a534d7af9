import type { ComponentProps, ReactNode } from 'react';
import { DialogContent, DialogDescription, DialogHeader, DialogTitle } from '@/components/ui/dialog';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';

type Props = Omit<ComponentProps<typeof DialogContent>, 'title' | 'showCloseButton' | 'closeLabel'> & {
  title: ReactNode;
  description?: ReactNode;
};

export function DialogPanel({ title, description, children, ...props }: Props) {
  const t = useTexts(common);
  return (
    <DialogContent closeLabel={t('close')} {...(description ? {} : { 'aria-describedby': undefined })} {...props}>
      <DialogHeader>
        <DialogTitle>{title}</DialogTitle>
        {description ? <DialogDescription>{description}</DialogDescription> : null}
      </DialogHeader>
      {children}
    </DialogContent>
  );
}
