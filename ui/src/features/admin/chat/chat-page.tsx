import { getRouteApi, Link } from '@tanstack/react-router';
import { Eye, MessagesSquare } from 'lucide-react';
import { useState } from 'react';
import { Note } from '@/components/note';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { adminChat } from '@/i18n/en/admin-chat';
import { AdminMain } from '../frame/admin-main';
import { UserPicker } from '../users/user-picker';
import type { ChatSearch } from './chat-search';
import { Transcript } from './transcript';

const route = getRouteApi('/_admin/admin/chat');

/** /admin/chat: the messages of two users. Loaded on request only, since each look is logged. */
export function ChatPage() {
  const t = useTexts(adminChat);
  const { one, other } = route.useSearch();
  const navigate = route.useNavigate();
  const [looked, setLooked] = useState<string | null>(null);
  const pair = one !== undefined && other !== undefined && one !== other ? `${one} ${other}` : null;
  const choose = (change: ChatSearch) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false });
  return (
    <AdminMain title={t('page')}>
      <h1 className="mb-4 font-display text-display-md">{t('title')}</h1>
      <Note kind="info" icon={<Eye aria-hidden="true" />} className="mb-2">
        {t('logged')}{' '}
        <Link to="/admin/audit" search={{ action: 'chat.inspect' }}>
          {t('log')}
        </Link>
      </Note>
      <div className="my-5 grid max-w-210 items-start gap-x-5 gap-y-4 min-[700px]:grid-cols-2">
        <UserPicker label={t('one')} value={one} onValue={(id) => choose({ one: id })} />
        <UserPicker
          label={t('other')}
          value={other}
          onValue={(id) => choose({ other: id })}
          error={one !== undefined && one === other ? t('rule.two') : undefined}
        />
      </div>
      {pair !== null && looked === pair && one && other ? (
        <Transcript key={pair} one={one} other={other} />
      ) : (
        <div className="grid justify-items-start gap-2">
          <Button disabled={pair === null} onClick={() => setLooked(pair)}>
            <MessagesSquare aria-hidden="true" />
            {t('show')}
          </Button>
          {pair === null ? <p className="text-sm text-muted-foreground">{t('choose')}</p> : null}
        </div>
      )}
    </AdminMain>
  );
}
