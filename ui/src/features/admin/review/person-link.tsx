import { Link } from '@tanstack/react-router';
import type { Party } from '@/api/contract';
import { UserName } from '@/entities/user/user-name';

export function PersonLink({ person }: { person: Pick<Party, '_id' | 'username' | 'isStaff'> }) {
  return (
    <Link to="/admin/users" search={{ review: person._id }}>
      <UserName user={person} />
    </Link>
  );
}
