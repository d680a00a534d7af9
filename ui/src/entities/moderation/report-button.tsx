import { Link } from '@tanstack/react-router';
import { Flag } from 'lucide-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import type { Review } from '@/api/contract';
import { Button, buttonVariants } from '@/components/ui/button';
import { useMaybeMe } from '@/entities/user/queries';
import { useLatePart } from '@/hooks/use-late-part';
import { useTexts } from '@/i18n';
import { moderation } from '@/i18n/en/moderation';
import type { Subject } from './report-dialog';

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

/** Reports a review. When its author closes their account, the text is erased. */
export function ReviewReport({ review: { _id, reviewer, comment } }: { review: Review }) {
  const t = useTexts(moderation);
  if (comment === '' || reviewer.closed) return null;
  return (
    <ReportButton
      className="-my-2 -mr-3 text-muted-foreground hover:text-foreground"
      about={{ subject: 'review', id: _id, person: reviewer }}
      label={t('report.review', { name: reviewer.username })}
    />
  );
}
