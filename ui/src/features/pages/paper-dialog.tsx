import { DialogPanel } from '@/components/dialog-panel';
import { buttonVariants } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { useReturnFocus } from '@/hooks/use-focus';
import { useTexts } from '@/i18n';
import { pages } from '@/i18n/en/pages';
import type { Paper, PaperName } from '@/i18n/page-text';

type Props = { name: PaperName; paper: Paper; open: boolean; onOpenChange: (open: boolean) => void };

export default function PaperDialog({ name, paper, open, onOpenChange }: Props) {
  const t = useTexts(pages);
  const { remember, giveBack } = useReturnFocus();
  const file = `/papers/${name}.svg`;
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogPanel
        title={paper.title}
        description={paper.by}
        className="w-fit max-w-[min(720px,calc(100vw-32px))] max-xs:w-full max-xs:max-w-none"
        onOpenAutoFocus={remember}
        onCloseAutoFocus={giveBack}
      >
        <img
          className="mx-auto max-h-[calc(100dvh-232px)] w-auto border border-border-strong bg-white"
          src={file}
          alt={paper.alt}
          width={600}
          height={800}
        />
        <p className="mt-3 text-sm">
          <a className={buttonVariants({ variant: 'link' })} href={file} target="_blank" rel="noopener">
            {t('alone')}
          </a>
        </p>
      </DialogPanel>
    </Dialog>
  );
}
