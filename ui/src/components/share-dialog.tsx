import { DialogPanel } from '@/components/dialog-panel';
import { type SharedLink, ShareWays } from '@/components/share-ways';
import { Dialog } from '@/components/ui/dialog';
import { useTexts } from '@/i18n';
import { share } from '@/i18n/en/share';

export default function ShareDialog({ onClose, ...link }: SharedLink & { onClose: () => void }) {
  const t = useTexts(share);
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogPanel title={t('title')} className="*:min-w-0">
        <div className="mt-4">
          <ShareWays {...link} />
        </div>
      </DialogPanel>
    </Dialog>
  );
}
