import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ImagePlus, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { FileButton } from '@/components/file-button';
import { FieldNote } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import { Section } from '@/components/section';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { UserAvatar } from '@/entities/user/user-avatar';
import { usePicture } from '@/hooks/use-picture';
import { translate, useTexts } from '@/i18n';
import { settings } from '@/i18n/en/settings';
import { api, send } from '@/lib/api';
import { AVATAR_SIZE } from '@/lib/pictures';

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

export function PictureSetting() {
  const t = useTexts(settings);
  const me = useMe();
  const noteId = useId();
  const update = useUpdateProfile();
  const texts = { notImage: t('notImage'), unreadable: t('unreadable') };
  const picture = usePicture(AVATAR_SIZE, texts, (dataUrl) => update.mutate(dataUrl));
  const busy = picture.busy || update.isPending;
  // The chosen picture, while it is uploaded.
  const shown = update.isPending ? update.variables : me.profilePic;
  return (
    <Section title={t('picture')}>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-4">
        <UserAvatar name={me.username} picture={shown} size="xl" />
        <div className="flex min-w-0 flex-wrap items-center gap-3">
          <FileButton accept="image/*" describedBy={noteId} busy={busy} onFiles={([file]) => picture.choose(file)}>
            <ImagePlus aria-hidden="true" />
            {t(busy ? 'saving' : me.profilePic === '' ? 'choose' : 'change')}
          </FileButton>
          {me.profilePic === '' ? null : (
            <PendingButton variant="ghost" pending={busy} onClick={() => update.mutate('')}>
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
