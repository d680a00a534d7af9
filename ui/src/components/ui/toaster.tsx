import { CircleCheckBig, Info, OctagonAlert } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Toaster as Sonner, toast } from 'sonner';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { deliverNotices, type Notice } from '@/lib/toast';
import { MessageToast } from './message-toast';

const LIFETIME = { success: 2_000, error: 4_000, info: 5_000, message: 4_000 };
const MOST_AT_ONCE = 20;
const ICONS: Record<Exclude<Notice['kind'], 'message'>, ReactNode> = {
  success: <CircleCheckBig aria-hidden="true" />,
  error: <OctagonAlert aria-hidden="true" />,
  info: <Info aria-hidden="true" />,
};

function show(notice: Notice): void {
  if (notice.kind === 'message') {
    toast.custom((id) => <MessageToast {...notice} onOpen={() => toast.dismiss(id)} />, {
      duration: LIFETIME.message,
      position: 'top-right',
    });
    return;
  }
  const { kind, text, description } = notice;
  toast.custom(
    () => (
      <div className="toast" data-kind={kind}>
        {ICONS[kind]}
        <span data-slot="toast-text">
          {text}
          {description ? <small className="toast__more">{description}</small> : null}
        </span>
      </div>
    ),
    { duration: LIFETIME[kind] },
  );
}

/** The one toaster of the page; a default export because it is a lazy chunk. */
export default function Toaster() {
  const t = useTexts(common);
  useEffect(() => deliverNotices(show), []);
  return (
    <Sonner
      position="top-center"
      visibleToasts={MOST_AT_ONCE}
      expand
      gap={8}
      containerAriaLabel={t('notices')}
      toastOptions={{ unstyled: true, className: 'toast-place' }}
    />
  );
}
