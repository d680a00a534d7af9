import { MessageCircle, Send, Share2 } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { CopyButton } from '@/components/copy-button';
import { DialogPanel } from '@/components/dialog-panel';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { useTexts } from '@/i18n';
import { share } from '@/i18n/en/components';
import { notify } from '@/lib/toast';

export type SharedLink = {
  url: string;
  title: string;
  text: string;
  /** The recipient as 01712345678, whose chat WhatsApp opens. */
  phone?: string | undefined;
};

const COUNTRY = '88';

function whatsapp({ url, text, phone }: SharedLink): string {
  return `https://wa.me/${phone ? `${COUNTRY}${phone}` : ''}?text=${encodeURIComponent(`${text} ${url}`)}`;
}

/** Messenger's links open its app, which most computers lack. */
const onPhone = () => window.matchMedia('(pointer: coarse)').matches;

/** The phone's share sheet; most desktop browsers have none. */
function OtherApps({ url, title, text }: SharedLink) {
  const t = useTexts(share);
  if (!('share' in navigator)) return null;
  const send = async () => {
    try {
      await navigator.share({ title, text, url });
    } catch (error) {
      // Closing the sheet is no failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) notify.error(t('failed'));
    }
  };
  return (
    <Button variant="outline" onClick={() => void send()}>
      <Share2 aria-hidden="true" />
      {t('other')}
    </Button>
  );
}

export function ShareWays(link: SharedLink) {
  const t = useTexts(share);
  const { url } = link;
  return (
    <div className="grid min-w-0 gap-5">
      <p className="border-y py-3 font-semibold wrap-anywhere select-all" lang="en">
        {url.replace(/^https?:\/\//, '')}
      </p>
      <div className="grid gap-2 *:first:col-span-full 2xs:grid-cols-2">
        <CopyButton value={url} label={t('copyOf')} done={t('copied')} variant="default">
          {t('copy')}
        </CopyButton>
        <Button variant="outline" asChild>
          <a href={whatsapp(link)} target="_blank" rel="noopener noreferrer">
            <MessageCircle aria-hidden="true" />
            {t('whatsapp')}
          </a>
        </Button>
        {onPhone() ? (
          <Button variant="outline" asChild>
            <a href={`fb-messenger://share/?link=${encodeURIComponent(url)}`}>
              <Send aria-hidden="true" />
              {t('messenger')}
            </a>
          </Button>
        ) : null}
        <OtherApps {...link} />
      </div>
      <div className="flex items-center gap-4">
        {/* White in the dark theme, too: cameras need dark on light. */}
        <QRCodeSVG value={url} title={t('qr')} size={132} marginSize={2} className="flex-none border" />
        <p className="text-sm text-muted-foreground">{t('qrText')}</p>
      </div>
    </div>
  );
}

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
