import { useLocation } from '@tanstack/react-router';
import { createPortal } from 'react-dom';
import { Button } from '@/components/ui/button';
import { DIALOG } from '@/components/ui/overlay';
import { useTexts } from '@/i18n';
import { member } from '@/i18n/en/member';
import { shell } from '@/i18n/en/shell';

const open = (dialog: HTMLDialogElement | null) => dialog?.showModal();

/**
 * Stands in for the login dialog if its code cannot be loaded: a link to the login page and back,
 * in the browser's own dialog, which needs no code and covers any other.
 */
export function SessionEndedNote() {
  const t = useTexts(member);
  const tShell = useTexts(shell);
  const { href } = useLocation();
  return createPortal(
    <dialog
      ref={open}
      className={`${DIALOG} pointer-events-auto`}
      aria-label={t('ended.title')}
      onClose={({ currentTarget }) => open(currentTarget)}
    >
      <h2 className="font-display text-display-sm">{t('ended.title')}</h2>
      <p className="mt-4 text-muted-foreground">{t('ended.text')}</p>
      <Button asChild className="mt-4">
        <a href={`/login?redirect=${encodeURIComponent(href)}`}>{tShell('login')}</a>
      </Button>
    </dialog>,
    document.body,
  );
}
