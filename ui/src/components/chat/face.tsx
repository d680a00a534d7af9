import type { Party } from '@/api/contract';
import { Avatar } from '@/components/ui/avatar';
import { cn } from '@/lib/cn';

/** The picture of a person, with a dot while they are online. Decoration as Avatar is. */
export function Face({ person, online }: { person: Party; online: boolean }) {
  return (
    <span className={cn('relative inline-flex flex-none', online && 'avatar__on')}>
      <Avatar name={person.username} picture={person.profilePic} className="object-cover" />
    </span>
  );
}
