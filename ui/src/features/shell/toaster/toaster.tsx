import { Link } from '@tanstack/react-router';
import { CircleCheckBig, Info, OctagonAlert } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { toast } from 'sonner';
import { Toaster as Sonner } from '@/components/ui/sonner';
import { UserAvatar } from '@/entities/user/user-avatar';
import { coveredByKeyboard } from '@/hooks/use-browser';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { common } from '@/i18n/en/common';
import { deliverNotices, liftToasts, type NewMessageNotice, type Notice } from '@/lib/toast';

function MessageToast({ conversationId, name, picture, text, onOpen }: NewMessageNotice & { onOpen: () => void }) {
  const t = useTexts(chat);
  return (
    <Link
      to="/inbox/$conversationId"
      params={{ conversationId }}
      data-slot="message-toast"
      className="flex w-[min(356px,calc(100vw-32px))] items-start gap-3 rounded-md border border-border-strong bg-background px-4 py-3.5 font-sans text-md/[1.4] text-foreground no-underline shadow-overlay hover:bg-muted"
      onClick={onOpen}
    >
      <UserAvatar name={name} picture={picture} size="sm" />
      <span className="min-w-0 flex-1">
        <b className="block font-semibold wrap-anywhere">{t('newFrom', { name })}</b>
        <span className="line-clamp-3 wrap-anywhere">{text}</span>
      </span>
    </Link>
  );
}

const LIFETIME = { success: 2_000, error: 4_000, info: 5_000, message: 4_000 };
const MAX_TOASTS = 20;
/** In a narrower window, toasts span the width and share one position. */
const TWO_PLACES = '(min-width: 600px)';
const BARS = '[data-slot="bottom-bar"], [data-bottom-bar]';
const DIALOGS = '[role="dialog"], [role="alertdialog"]';

/** In a narrow window above bars and keyboard, or on top while a dialog is at the bottom. */
function place(wide: 'top-center' | 'top-right') {
  if (matchMedia(TWO_PLACES).matches) return wide;
  if (document.querySelector(DIALOGS)) return 'top-center';
  const bars = [...document.querySelectorAll<HTMLElement>(BARS)].map(({ offsetHeight }) => offsetHeight);
  const covered = Math.max(coveredByKeyboard(), ...bars);
  liftToasts(covered);
  return 'bottom-center';
}

const ICONS: Record<Exclude<Notice['kind'], 'message'>, ReactNode> = {
  success: <CircleCheckBig aria-hidden="true" />,
  error: <OctagonAlert aria-hidden="true" />,
  info: <Info aria-hidden="true" />,
};

type Shown = { id: number | string; correctable: boolean };

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
      position: place('top-right'),
    });
    return;
  }
  const { kind, text, description, correctable = false, copy } = notice;
  // A repeated text replaces the first toast, so that it is announced again, and a copy the one
  // before. A success dismisses broken rules of forms; other errors stay.
  const name = copy ? 'copy' : `${kind}:${text}`;
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
    { duration: LIFETIME[kind], position: place('top-center'), onAutoClose: () => shown.delete(name) },
  );
  shown.set(name, { id, correctable });
}

export default function Toaster() {
  const t = useTexts(common);
  useEffect(() => deliverNotices(show), []);
  return <Sonner visibleToasts={MAX_TOASTS} containerAriaLabel={t('notices')} />;
}
