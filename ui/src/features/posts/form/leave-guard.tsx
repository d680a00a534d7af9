import { useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import type { User } from '@/api/contract';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { LeaveDialog } from './leave-dialog';

/** Asks before unsaved input is left, but not on a logout or a change of user. */
export function LeaveGuard({ unsaved }: { unsaved: boolean }) {
  const queryClient = useQueryClient();
  const { _id: author } = useMe();
  const held = () => unsaved && queryClient.getQueryData<User | null>(keys.me)?._id === author;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && held(),
    enableBeforeUnload: held,
    withResolver: true,
  });
  return <LeaveDialog open={status === 'blocked'} onLeave={() => proceed?.()} onStay={() => reset?.()} />;
}
