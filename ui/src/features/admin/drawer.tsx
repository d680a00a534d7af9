import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { useWidth } from '@/lib/use-width';
import { rowLinkId } from './use-queue';

/** From this width on the drawer stands beside the queue; as in admin.css. */
const DRAWER_BESIDE = 900;

type Props = {
  /** The id of the row that is reviewed. */
  row: string;
  /** What became of the row here. When it or the row changes the focus goes to the title, and a screen reader starts there. */
  said?: string | null;
  eyebrow: ReactNode;
  title: ReactNode;
  foot: ReactNode;
  onClose: () => void;
  children: ReactNode;
};

/** The review beside the queue; on a narrow window a sheet that fills the screen. */
export function Drawer({ row, said = null, eyebrow, title, foot, onClose, children }: Props) {
  const c = useTexts(common);
  const beside = useWidth(DRAWER_BESIDE);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), [row, said]);
  return (
    <Primitive.Root open modal={!beside} onOpenChange={(open) => (open ? null : onClose())}>
      {beside ? null : <Primitive.Overlay className="scrim" />}
      <Primitive.Content
        data-slot="drawer"
        className="drawer"
        aria-describedby={undefined}
        onOpenAutoFocus={(event) => event.preventDefault()}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          // Another row's drawer, or the other form of this one, has taken its place.
          if (document.querySelector('.drawer')) return;
          const back = document.getElementById(rowLinkId(row)) ?? document.getElementById('main');
          back?.focus({ preventScroll: true });
        }}
        // The list beside it stays in use.
        onInteractOutside={(event) => event.preventDefault()}
      >
        <div className="drawer__head">
          <div>
            <p className="m t14">{eyebrow}</p>
            <Primitive.Title className="d24" ref={heading} tabIndex={-1}>
              {title}
            </Primitive.Title>
          </div>
          <Primitive.Close className="btn btn--quiet btn--icon" aria-label={c('close')}>
            <X aria-hidden="true" />
          </Primitive.Close>
        </div>
        <div className="drawer__body">{children}</div>
        {foot ? <div className="drawer__foot">{foot}</div> : null}
      </Primitive.Content>
    </Primitive.Root>
  );
}
