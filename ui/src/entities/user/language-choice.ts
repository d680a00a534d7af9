import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { type Language, setLanguage, translate } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { api, send } from '@/lib/api';
import { errorAdvice, errorText } from '@/lib/errors';
import { notify } from '@/lib/toast';
import { whenHydrated } from '@/prerender/hydration';
import { useMaybeMe } from './queries';

/** Saves the language of mails. Calls run in order, so that the last choice stays. */
function useWritingLanguage() {
  const queryClient = useQueryClient();
  return useMutation({
    scope: { id: 'language' },
    mutationFn: (language: Language) => send(api.PUT('/auth/language', { body: { language } })),
    meta: { fallback: () => translate(shell, 'languageKept') },
    onSuccess: (user) => {
      queryClient.setQueryData(keys.me, user);
      // The server writes them in the user's language.
      void queryClient.invalidateQueries({ queryKey: keys.notifications });
    },
  });
}

/** Sets the language of pages, mails and notifications. Reports texts that fail to load. */
export function useLanguageChoice() {
  const me = useMaybeMe();
  const writing = useWritingLanguage();
  return (language: Language): void => {
    void whenHydrated()
      .then(() => setLanguage(language))
      .then(
        () => (me ? writing.mutate(language) : undefined),
        (error: unknown) => notify.error(errorText(error), errorAdvice(error) ?? undefined),
      );
  };
}
