import { Sheet, SheetContent, SheetHeader, SheetTitle } from '@/components/ui/sheet';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { common } from '@/i18n/en/common';
import { SideLinks } from './side-links';

type Props = { open: boolean; setOpen: (open: boolean) => void; onRate: () => void; onKeys: () => void };

export function SideSheet({ open, setOpen, onRate, onKeys }: Props) {
  const t = useTexts(admin);
  const tCommon = useTexts(common);
  return (
    <Sheet open={open} onOpenChange={setOpen}>
      <SheetContent side="left" closeLabel={tCommon('close')} aria-describedby={undefined}>
        <SheetHeader>
          <SheetTitle>{t('area')}</SheetTitle>
        </SheetHeader>
        <nav aria-label={t('menu')}>
          <SideLinks onRate={onRate} onKeys={onKeys} onLink={() => setOpen(false)} />
        </nav>
      </SheetContent>
    </Sheet>
  );
}
