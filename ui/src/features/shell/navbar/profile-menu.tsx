import { LazyMenu } from '@/components/lazy-menu';
import { useMe } from '@/entities/user/queries';
import { UserAvatar } from '@/entities/user/user-avatar';
import { useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { NAV_ICON } from './nav';

const load = () => import('./profile-menu-content');

/** The profile menu of the navbar. */
export function ProfileMenu() {
  const t = useTexts(shell);
  const me = useMe();
  return (
    <LazyMenu load={load} className={NAV_ICON} aria-label={t('profileMenu')}>
      <UserAvatar name={me.username} picture={me.profilePic} size="sm" />
    </LazyMenu>
  );
}
