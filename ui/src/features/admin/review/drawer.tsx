import { Dialog as Primitive } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { CloseButton, Dialog, DialogOverlay } from '@/components/ui/dialog';
import { useMinWidth } from '@/hooks/use-browser';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { rowLinkId } from '../queue/use-admin-list';

/** As in the classes below. */
const DRAWER_BESIDE = 900;

type Props = {
  row: string;
  /** When this or the row changes, the title is focused, so that screen readers start there. */
  said?: string | null;
  eyebrow: ReactNode;
  title: ReactNode;
  foot: ReactNode;
  onClose: () => void;
  children: ReactNode;
};

/** The review beside the queue, or a full-screen sheet on a narrow window. */
export function Drawer({ row, said = null, eyebrow, title, foot, onClose, children }: Props) {
  const t = useTexts(common);
  const beside = useMinWidth(DRAWER_BESIDE);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), [row, said]);
  return (
    <Dialog open back={false} modal={!beside} onOpenChange={(open) => (open ? null : onClose())}>
      {beside ? null : <DialogOverlay className="z-40" />}
      <Primitive.Content
        data-slot="drawer"
        className="z-30 flex flex-col border-t-4 border-foreground bg-background max-wide:fixed max-wide:inset-0 max-wide:z-40 max-wide:overflow-hidden wide:min-h-0 wide:border-t-0 wide:border-l wide:border-border-strong"
        aria-describedby={undefined}
        onOpenAutoFocus={(event) => event.preventDefault()}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          // Another drawer has replaced this one.
          if (document.querySelector('[data-slot=drawer]')) return;
          const back = document.getElementById(rowLinkId(row)) ?? document.getElementById('main');
          back?.focus({ preventScroll: true });
        }}
        // The list stays usable.
        onInteractOutside={(event) => event.preventDefault()}
      >
        <div className="flex items-start justify-between gap-3 pt-3.5 pr-2 pb-2.5 pl-4 wide:pl-5">
          <div>
            <p className="text-sm text-muted-foreground">{eyebrow}</p>
            <Primitive.Title className="font-display text-display-sm wrap-anywhere focus:outline-0" ref={heading} tabIndex={-1}>
              {title}
            </Primitive.Title>
          </div>
          <CloseButton label={t('close')} />
        </div>
        <div className="grid flex-1 content-start gap-3.5 overflow-auto px-4 pt-1 pb-5 **:data-[slot=facts]:*:py-1.75 wide:px-5 [&_[data-slot=section]>:first-child]:mb-1 [&_dd]:min-w-0 [&_dd]:wrap-anywhere">
          {children}
        </div>
        {foot ? (
          <div className="flex flex-wrap gap-2 border-t border-border-strong bg-background px-4 py-3 wide:px-5">{foot}</div>
        ) : null}
      </Primitive.Content>
    </Dialog>
  );
}
