import { useMutation } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { Gift, Handshake, KeyRound, Languages, LogOut, ShieldCheck, Store, UserRound, Wallet } from 'lucide-react';
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

export default function ProfileMenuContent({ trigger }: MenuProps) {
  const t = useTexts(member);
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
        <DropdownMenuItem asChild>
          <Link to="/profile">
            <UserRound aria-hidden="true" />
            {t('profile')}
          </Link>
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <Link to="/security">
            <KeyRound aria-hidden="true" />
            {t('security')}
          </Link>
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <Link to="/MyPosts">
            <Store aria-hidden="true" />
            {t('posts')}
          </Link>
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <Link to="/balance">
            <Wallet aria-hidden="true" />
            {t('balance')}
          </Link>
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <Link to="/deal">
            <Handshake aria-hidden="true" />
            {t('deals')}
          </Link>
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <Link to="/refer">
            <Gift aria-hidden="true" />
            {t('refer')}
          </Link>
        </DropdownMenuItem>
        {me.isAdmin ? (
          <DropdownMenuItem asChild>
            <Link to="/admin/deposit">
              <ShieldCheck aria-hidden="true" />
              {t('admin')}
            </Link>
          </DropdownMenuItem>
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
