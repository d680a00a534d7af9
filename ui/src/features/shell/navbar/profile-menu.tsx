import { LazyMenu } from '@/components/lazy-menu';
import { useMe } from '@/entities/user/queries';
import { UserAvatar } from '@/entities/user/user-avatar';
import { useTexts } from '@/i18n';
import { member } from '@/i18n/en/user';
import { NAV_ICON } from './nav';

export const loadProfileMenu = () => import('./profile-menu-content');

export function ProfileMenu() {
  const t = useTexts(member);
  const me = useMe();
  return (
    <LazyMenu load={loadProfileMenu} menu={{ phone: false }} className={NAV_ICON} aria-label={t('profileMenu')}>
      <UserAvatar name={me.username} picture={me.profilePic} size="sm" />
    </LazyMenu>
  );
}
