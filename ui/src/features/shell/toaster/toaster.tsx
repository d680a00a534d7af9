import { CircleCheckBig, Info, OctagonAlert } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { toast } from 'sonner';
import { Toaster as Sonner } from '@/components/ui/sonner';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { deliverNotices, type Notice } from '@/lib/toast';
import { MessageToast } from './message-toast';

const LIFETIME = { success: 2_000, error: 4_000, info: 5_000, message: 4_000 };
const MOST_AT_ONCE = 20;
/** In a narrower window a toast takes the whole width, and those of one place would lie over those of the other. */
const TWO_PLACES = '(min-width: 600px)';
const ICONS: Record<Exclude<Notice['kind'], 'message'>, ReactNode> = {
  success: <CircleCheckBig aria-hidden="true" />,
  error: <OctagonAlert aria-hidden="true" />,
  info: <Info aria-hidden="true" />,
};

type Shown = { id: number | string; correctable: boolean };

/** The toasts on the screen, by their kind and text. */
const shown = new Map<string, Shown>();

function dismiss(isOver: (name: string, correctable: boolean) => boolean): void {
  for (const [name, { id, correctable }] of shown) {
    if (!isOver(name, correctable)) continue;
    toast.dismiss(id);
    shown.delete(name);
  }
}

function show(notice: Notice): void {
  if (notice.kind === 'message') {
    toast.custom((id) => <MessageToast {...notice} onOpen={() => toast.dismiss(id)} />, {
      duration: LIFETIME.message,
      position: matchMedia(TWO_PLACES).matches ? 'top-right' : 'top-center',
    });
    return;
  }
  const { kind, text, description, correctable = false } = notice;
  // A repeated text replaces the first toast, so that it is read out again. A success dismisses what was wrong with a form; other errors
  // stay, since they may be about something else.
  const name = `${kind}:${text}`;
  dismiss((other, wasCorrectable) => other === name || (kind === 'success' && wasCorrectable));
  const id = toast.custom(
    () => (
      <div
        data-kind={kind}
        className="flex max-w-95 items-start gap-3 rounded-md bg-foreground px-4 py-3.5 font-sans text-md text-background shadow-overlay [&>svg]:mt-px"
      >
        {ICONS[kind]}
        <span data-slot="toast-text">
          {text}
          {description ? <small className="block text-sm opacity-86">{description}</small> : null}
        </span>
      </div>
    ),
    { duration: LIFETIME[kind], onAutoClose: () => shown.delete(name) },
  );
  shown.set(name, { id, correctable });
}

/** The one toaster of the page; a default export because it is a lazy chunk. */
export default function Toaster() {
  const t = useTexts(common);
  useEffect(() => deliverNotices(show), []);
  return <Sonner visibleToasts={MOST_AT_ONCE} containerAriaLabel={t('notices')} />;
}
