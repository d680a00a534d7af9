import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Party } from '@/api/contract';

type Props = { user: Pick<Party, 'username' | 'closed'>; className?: string; children: ReactNode };

/** Links to a profile; closed accounts have none. */
export function UserLink({ user: { username, closed }, className, children }: Props) {
  if (closed) return <span className={className}>{children}</span>;
  return (
    <Link to="/profile/$username" params={{ username }} className={className}>
      {children}
    </Link>
  );
}
