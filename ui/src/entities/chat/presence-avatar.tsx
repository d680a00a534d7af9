import type { Party } from '@/api/contract';
import { UserAvatar } from '@/entities/user/user-avatar';
import { cn } from '@/lib/cn';

/** An avatar with a dot while the person is online. Decorative. */
export function PresenceAvatar({ person, online }: { person: Party; online: boolean }) {
  return (
    <span
      className={cn(
        'relative inline-flex flex-none',
        online &&
          'after:absolute after:-right-px after:-bottom-px after:size-2.75 after:rounded-full after:bg-[oklch(0.62_0.16_155)] after:shadow-[0_0_0_2px_var(--background)]',
      )}
    >
      <UserAvatar name={person.username} picture={person.profilePic} />
    </span>
  );
}
