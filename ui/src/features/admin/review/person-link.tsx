import { Link } from '@tanstack/react-router';
import type { Party } from '@/api/contract';

/** Somebody, and the way to what admins know of him. */
export function PersonLink({ person }: { person: Pick<Party, '_id' | 'username'> }) {
  return (
    <Link to="/admin/users" search={{ review: person._id }}>
      {person.username}
    </Link>
  );
}
