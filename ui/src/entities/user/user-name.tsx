import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Party } from '@/api/contract';
import { useTexts } from '@/i18n';
import { user as catalogue } from '@/i18n/en/user';
import { cn } from '@/lib/cn';

/** The mark of staff (docs/rules.md#staff), sized like the name. No name can contain it. */
export function StaffMark({ className }: { className?: string }) {
  const t = useTexts(catalogue);
  return (
    <span
      role="img"
      data-slot="staff-mark"
      aria-label={t('staff')}
      title={t('staff')}
      className={cn(
        'inline-grid size-[min(1.125em,1.5rem)] flex-none place-items-center rounded-full bg-seal align-[-0.16em] text-seal-foreground',
        className,
      )}
    >
      <svg className="size-[72%]" aria-hidden="true">
        <use href="#seal" />
      </svg>
    </span>
  );
}

type Props = {
  user: Pick<Party, 'username' | 'isStaff' | 'closed'>;
  /** Cuts a long name on one line, but not the mark. */
  truncate?: boolean;
  className?: string;
};

/** A person's name with the mark of staff, grey if the account is closed. */
export function UserName({ user, truncate = false, className }: Props) {
  const t = useTexts(catalogue);
  const mark = user.isStaff ? <StaffMark className="ml-[0.3em]" /> : null;
  const closed = user.closed ? { title: t('closed') } : {};
  const look = cn(className, user.closed && 'text-muted-foreground');
  if (!truncate) {
    return (
      <span className={look} {...closed}>
        {user.username}
        {mark}
      </span>
    );
  }
  return (
    <span className={cn('inline-flex max-w-full min-w-0 items-center align-bottom', look)} {...closed}>
      <span className="truncate">{user.username}</span>
      {mark}
    </span>
  );
}

type UserLinkProps = { user: Pick<Party, 'username' | 'closed'>; className?: string; children: ReactNode };

/** Links to a profile; closed accounts have none. */
export function UserLink({ user: { username, closed }, className, children }: UserLinkProps) {
  if (closed) return <span className={className}>{children}</span>;
  return (
    <Link to="/profile/$username" params={{ username }} className={className}>
      {children}
    </Link>
  );
}
