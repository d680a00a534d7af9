import { Link } from '@tanstack/react-router';
import { Flag } from 'lucide-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { Button, buttonVariants } from '@/components/ui/button';
import { useMaybeMe } from '@/entities/user/queries';
import { useLatePart } from '@/hooks/use-late-part';
import type { Subject } from './subject';

const load = () => import('./report-dialog');

type DialogProps = ComponentProps<Awaited<ReturnType<typeof load>>['default']>;

export function LazyReport(props: DialogProps) {
  const late = useLatePart(load, props.open, props.onClose);
  return late ? <late.Part {...props} /> : null;
}

type Props = {
  about: Subject;
  className?: string;
} & (
  | {
      /** Renders as a link with this text. */
      children: ReactNode;
      label?: never;
    }
  | {
      children?: never;
      /** Renders as an icon with this label. */
      label: string;
    }
);

/** Visitors get a mail link instead, and the reader's own content has no button. */
export function ReportButton({ about, label, className = '', children }: Props) {
  const me = useMaybeMe();
  const [open, setOpen] = useState(false);
  if (me?._id === about.person._id) return null;
  const face = {
    variant: children ? ('link' as const) : ('ghost' as const),
    size: children ? ('default' as const) : ('icon' as const),
    className,
  };
  if (!me) {
    return children ? (
      <Link to="/contactus" className={buttonVariants(face)}>
        <Flag className="size-4" aria-hidden="true" />
        {children}
      </Link>
    ) : null;
  }
  return (
    <>
      <Button {...face} aria-label={label} onClick={() => setOpen(true)}>
        <Flag className="size-4" aria-hidden="true" />
        {children}
      </Button>
      <LazyReport about={about} open={open} onClose={() => setOpen(false)} />
    </>
  );
}
