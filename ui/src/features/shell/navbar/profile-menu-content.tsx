import { useMutation } from '@tanstack/react-query';
import { Link, type LinkProps, useRouter } from '@tanstack/react-router';
import {
  Gift,
  Handshake,
  Heart,
  Languages,
  LifeBuoy,
  LogOut,
  type LucideIcon,
  Settings,
  ShieldCheck,
  Store,
  Wallet,
} from 'lucide-react';
import type { MenuProps } from '@/components/lazy-menu';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu';
import { leavePage } from '@/entities/user/page-owner';
import { useMe } from '@/entities/user/queries';
import { translate, useTexts } from '@/i18n';
import { saved } from '@/i18n/en/saved';
import { member } from '@/i18n/en/user';
import { api, send } from '@/lib/api';
import { useLanguageSwitch, useThemeSwitch } from './switches';

function useLogout() {
  const router = useRouter();
  return useMutation({
    mutationFn: () => send(api.POST('/auth/logout')),
    meta: { success: () => translate(member, 'loggedOut'), fallback: () => translate(member, 'logoutFailed') },
    onSuccess: () => leavePage(router),
  });
}

type PlaceProps = Pick<LinkProps, 'to'> & { icon: LucideIcon; children: string };

function Place({ to, icon: Icon, children }: PlaceProps) {
  return (
    <DropdownMenuItem asChild>
      <Link to={to}>
        <Icon aria-hidden="true" />
        {children}
      </Link>
    </DropdownMenuItem>
  );
}

type Props = MenuProps & {
  /** In the bottom bar, where deals and, on the dashboard, the balance are at hand. */
  phone: boolean;
};

export default function ProfileMenuContent({ trigger, phone }: Props) {
  const t = useTexts(member);
  const tSaved = useTexts(saved);
  const me = useMe();
  const logout = useLogout();
  const language = useLanguageSwitch();
  const theme = useThemeSwitch();
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
      <DropdownMenuContent className="[&_a]:rounded-md [&_a]:font-medium">
        <DropdownMenuLabel>
          <b className="font-semibold">{me.username}</b>
          <br />
          <span className="text-sm/[1.35] text-muted-foreground">{me.email}</span>
        </DropdownMenuLabel>
        <DropdownMenuSeparator />
        <Place to="/profile" icon={Settings}>
          {t(phone ? 'settings' : 'profile')}
        </Place>
        <Place to="/MyPosts" icon={Store}>
          {t('posts')}
        </Place>
        <Place to="/saved" icon={Heart}>
          {tSaved('title')}
        </Place>
        {phone ? null : (
          <>
            <Place to="/balance" icon={Wallet}>
              {t('balance')}
            </Place>
            <Place to="/deal" icon={Handshake}>
              {t('deals')}
            </Place>
          </>
        )}
        <Place to="/refer" icon={Gift}>
          {t('refer')}
        </Place>
        <Place to="/support" icon={LifeBuoy}>
          {t('help')}
        </Place>
        {me.isAdmin ? (
          <Place to="/admin/deposit" icon={ShieldCheck}>
            {t('admin')}
          </Place>
        ) : null}
        <DropdownMenuSeparator />
        <DropdownMenuItem lang={language.other} data-language-name="" onSelect={language.change}>
          <Languages aria-hidden="true" />
          {language.name}
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={theme.change}>
          <theme.Icon aria-hidden="true" />
          {theme.name}
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={() => logout.mutate()}>
          <LogOut aria-hidden="true" />
          {t('logout')}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
