import { Ellipsis } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import type { DirectMessage } from '@/api/contract';
import { LazyMenu } from '@/components/lazy-menu';
import { useTexts } from '@/i18n';
import { moderation } from '@/i18n/en/moderation';

const load = () => import('./message-menu-content');

type Props = { message: DirectMessage; name: string; staff: boolean; time: string; reachable: boolean };

/** Arrow keys move between the menus of messages. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget: menu, key } = event;
  if (menu.ariaExpanded === 'true' || (key !== 'ArrowUp' && key !== 'ArrowLeft' && key !== 'ArrowRight')) return;
  const menus = [...(menu.closest('[role=log]')?.querySelectorAll<HTMLElement>('[data-slot="message-menu"]') ?? [])];
  event.preventDefault();
  menus[menus.indexOf(menu) + (key === 'ArrowRight' ? 1 : -1)]?.focus();
}

/** Visible on hover and focus, on a phone always. Only one per thread is a tab stop. */
export function MessageMenu({ message, name, staff, time, reachable }: Props) {
  const t = useTexts(moderation);
  return (
    <LazyMenu
      load={load}
      ahead={false}
      menu={{ message, name, staff }}
      data-slot="message-menu"
      tabIndex={reachable ? 0 : -1}
      onKeyDown={walk}
      className="-my-2 -mr-11 grid size-11 flex-none place-items-center text-subtle-foreground opacity-0 group-hover/message:opacity-100 hover:text-foreground focus-visible:opacity-100 aria-expanded:opacity-100 [@media(hover:none)]:opacity-100"
      aria-label={t('message.more', { name, time })}
    >
      <Ellipsis className="size-4.5" aria-hidden="true" />
    </LazyMenu>
  );
}
