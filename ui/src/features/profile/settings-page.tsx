import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ImagePlus, Trash2 } from 'lucide-react';
import { type RefObject, useId, useRef, useState } from 'react';
import type { BlockedUser } from '@/api/contract';
import { Choice, ChoiceGroup } from '@/components/choice';
import { HANGING, STACK } from '@/components/classes';
import { FileButton } from '@/components/file-button';
import { FieldNote, FormField } from '@/components/form-field';
import { Page } from '@/components/page';
import { ShowMore } from '@/components/pager';
import { PendingButton } from '@/components/pending-button';
import { QueryPart } from '@/components/query-part';
import { Section } from '@/components/section';
import { buttonVariants } from '@/components/ui/button';
import { FieldDescription } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Skeleton } from '@/components/ui/skeleton';
import { keys } from '@/entities/keys';
import { BLOCKED_PAGE, blockedQuery, useBlock } from '@/entities/moderation/blocks';
import { useLanguageChoice } from '@/entities/user/language-choice';
import { useMe } from '@/entities/user/queries';
import { SettingsHead } from '@/entities/user/settings-head';
import { UserAvatar } from '@/entities/user/user-avatar';
import { UserLink, UserName } from '@/entities/user/user-name';
import { useFocusNext } from '@/hooks/use-focus';
import { translate, useLanguage, useTexts } from '@/i18n';
import { moderation } from '@/i18n/en/moderation';
import { settings } from '@/i18n/en/profile';
import { api, send } from '@/lib/api';
import { cn } from '@/lib/cn';
import { AVATAR_SIZE, downscale, isPicture, UnreadablePictureError } from '@/lib/pictures';
import { totalOf } from '@/lib/rows';
import { formatTime } from '@/lib/time';
import { notify } from '@/lib/toast';
import { AwaySetting } from './away-setting';

type Heading = RefObject<HTMLElement | null>;

function Line({ user, blockedAt, heading }: BlockedUser & { heading: Heading }) {
  const t = useTexts(moderation);
  const { unblock } = useBlock(user);
  const button = useFocusNext(heading);
  const { username } = user;
  return (
    <li className="flex flex-wrap items-center gap-3 border-b py-2.5 wrap-anywhere">
      <UserAvatar name={username} picture={user.profilePic} size="sm" />
      <p className="min-w-0 flex-[1_1_140px]">
        <UserLink user={user} className="font-semibold no-underline hover:underline">
          <UserName user={user} />
        </UserLink>
        <br />
        <span className="text-sm text-muted-foreground">{t('blocked.since', { day: formatTime(blockedAt, 'day') })}</span>
      </p>
      <PendingButton
        ref={button}
        variant="outline"
        pending={unblock.isPending}
        aria-label={t('unblock', { name: username })}
        onClick={() => unblock.mutate()}
      >
        {t('unblock.short')}
      </PendingButton>
    </li>
  );
}

function People({ heading }: { heading: Heading }) {
  const t = useTexts(moderation);
  const list = useInfiniteQuery(blockedQuery);
  return (
    <QueryPart query={list} failure={t('blocked.failed')} skeleton={<Skeleton className="h-16" />}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.rows);
        if (rows.length === 0) return <p className="text-muted-foreground">{t('blocked.none')}</p>;
        return (
          <>
            <p className="text-sm text-muted-foreground">{t('blockedText')}</p>
            <ul>
              {rows.map((row) => (
                <Line key={row.user._id} {...row} heading={heading} />
              ))}
            </ul>
            <ShowMore
              rest={totalOf(pages) - rows.length}
              step={BLOCKED_PAGE}
              busy={list.isFetchingNextPage}
              error={list.isFetchNextPageError ? list.error : null}
              more={() => void list.fetchNextPage()}
            />
          </>
        );
      }}
    </QueryPart>
  );
}

function BlockedList() {
  const t = useTexts(moderation);
  const heading = useRef<HTMLSpanElement>(null);
  return (
    <Section
      title={
        <span ref={heading} tabIndex={-1} className="focus:outline-none">
          {t('blocked')}
        </span>
      }
    >
      <People heading={heading} />
    </Section>
  );
}

/** Saves the picture as a data URL ("" for none) and updates the cached user. */
function useUpdateProfile() {
  const queryClient = useQueryClient();
  return useMutation({
    scope: { id: 'profile-picture' },
    mutationFn: (profilePic: string) => send(api.PUT('/auth/update-profile', { body: { profilePic } })),
    meta: { success: () => translate(settings, 'updated'), fallback: () => translate(settings, 'updateFailed') },
    onSuccess: (user) => {
      queryClient.setQueryData(keys.me, user);
      void queryClient.invalidateQueries({ queryKey: keys.profiles });
    },
  });
}

/** Scales a chosen file down and passes it on as a data URL, or reports why it cannot. */
function usePicture(onPicture: (dataUrl: string) => void) {
  const t = useTexts(settings);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const refuse = (text: string) => {
    setError(text);
    notify.error(text);
  };
  const choose = async (file: File) => {
    setError(undefined);
    if (!isPicture(file)) {
      refuse(t('notImage'));
      return;
    }
    setBusy(true);
    try {
      onPicture(await downscale(file, { max: AVATAR_SIZE }));
    } catch (cause) {
      if (!(cause instanceof UnreadablePictureError)) throw cause;
      refuse(t('unreadable'));
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, choose: (file: File) => void choose(file) };
}

function PictureSetting() {
  const t = useTexts(settings);
  const me = useMe();
  const noteId = useId();
  const update = useUpdateProfile();
  const picture = usePicture((dataUrl) => update.mutate(dataUrl));
  const busy = picture.busy || update.isPending;
  // The chosen picture, while it is uploaded.
  const shown = update.isPending ? update.variables : me.profilePic;
  return (
    <Section
      title={t('picture')}
      aside={
        <Link to="/profile/$username" params={{ username: me.username }} className={buttonVariants({ variant: 'link' })}>
          {t('seeOwn')}
        </Link>
      }
    >
      <div className="flex flex-wrap items-center gap-x-5 gap-y-4">
        <UserAvatar name={me.username} picture={shown} size="xl" />
        <div className="flex min-w-0 flex-wrap items-center gap-3">
          <FileButton describedBy={noteId} busy={busy} onFiles={([file]) => picture.choose(file)}>
            <ImagePlus aria-hidden="true" />
            {t(busy ? 'saving' : me.profilePic === '' ? 'choose' : 'change')}
          </FileButton>
          {me.profilePic === '' ? null : (
            <PendingButton variant="ghost" pending={busy} pendingText={null} onClick={() => update.mutate('')}>
              <Trash2 aria-hidden="true" />
              {t('remove')}
            </PendingButton>
          )}
        </div>
      </div>
      <div className="mt-4">
        <FieldNote id={noteId} help={t('pictureHelp')} error={picture.error} />
      </div>
    </Section>
  );
}

const LANGUAGES = [
  ['en', 'english'],
  ['bn', 'bangla'],
] as const;

function LanguageSetting() {
  const t = useTexts(settings);
  const language = useLanguage();
  const choose = useLanguageChoice();
  return (
    <ChoiceGroup legend={t('language')}>
      {LANGUAGES.map(([code, name]) => (
        <Choice
          key={code}
          name="language"
          checked={language === code}
          onChange={() => choose(code)}
          label={
            <span lang={code} data-language-name="">
              {t(name)}
            </span>
          }
        />
      ))}
      <FieldDescription>{t('languageHelp')}</FieldDescription>
    </ChoiceGroup>
  );
}

const MASK = '••••••••';

function Account() {
  const t = useTexts(settings);
  const me = useMe();
  return (
    <Section title={t('account')}>
      <div className="grid min-w-0 content-start gap-4 *:max-w-120 *:min-w-0">
        <FormField label={t('username')} help={t('usernameHelp')}>
          {(control) => <Input readOnly {...control} value={me.username} />}
        </FormField>
        <FormField label={t('email')} help={t(me.isVerified ? 'emailVerified' : 'emailUnverified')}>
          {(control) => <Input readOnly {...control} value={me.email} />}
        </FormField>
        <FormField label={t('password')}>{(control) => <Input readOnly {...control} value={MASK} />}</FormField>
      </div>
    </Section>
  );
}

export function SettingsPage() {
  const t = useTexts(settings);
  return (
    <Page title={t('own')}>
      <SettingsHead />
      <div className="grid gap-12 lg:grid-cols-2 lg:items-start">
        <div className={cn(STACK, 'gap-12')}>
          <PictureSetting />
          <Account />
        </div>
        <div className={cn(STACK, 'gap-12')}>
          <div className={HANGING}>
            <LanguageSetting />
          </div>
          <AwaySetting />
          <BlockedList />
        </div>
      </div>
    </Page>
  );
}
