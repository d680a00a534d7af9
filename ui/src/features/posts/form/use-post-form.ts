import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SyntheticEvent, useEffect, useEffectEvent, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import type { Post } from '@/api/contract';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { useMoneyAction } from '@/entities/wallet/operations';
import { translate, useTexts } from '@/i18n';
import { postForm } from '@/i18n/en/post-form';
import { api, idempotent, send } from '@/lib/api';
import { firstMessage, serverFieldErrors } from '@/lib/forms';
import { notify } from '@/lib/toast';
import { addToMine, postQuery } from '../queries';
import { dropPostDraft, keepPostPicture, keepPostWords, readPostDraft } from './draft';
import { EMPTY_POST, POST_FIELDS, type PostValues, postBody, postResolver, valuesOf } from './form-schema';
import { addTags } from './tags';

/** The lists know a saved post at once: the page of one's posts is next. */
function remember(queryClient: QueryClient, saved: Post): void {
  queryClient.setQueryData(postQuery(saved._id).queryKey, saved);
  addToMine(queryClient, saved);
}

function save(post: Post | undefined, values: PostValues, key: string): Promise<Post> {
  const body = postBody(values);
  return post
    ? send(api.PUT('/posts/{id}', { params: { path: { id: post._id } }, body }))
    : send(api.POST('/posts', { body, headers: idempotent(key) }));
}

const FIELDS = Object.keys(EMPTY_POST) as (keyof PostValues)[];

const same = (a: PostValues, b: PostValues): boolean => FIELDS.every((field) => String(a[field]) === String(b[field]));

/** Keeps what differs from the published post, for a reload and for coming back. */
function useDraft(id: string, base: PostValues, typed: PostValues, over: boolean) {
  useEffect(() => {
    if (!over) keepPostWords(id, typed, base);
  }, [id, typed, base, over]);
  const keepPicture = useEffectEvent(() => keepPostPicture(id, typed, base));
  useEffect(() => {
    if (!over) keepPicture();
  }, [typed.image, over]);
}

/** The form of a new post, or of the given one. What was typed stays through every failure, another page and a reload. */
export function usePostForm(post: Post | undefined) {
  const queryClient = useQueryClient();
  const t = useTexts(postForm);
  const navigate = useNavigate();
  const id = `${useMe()._id}:${post?._id ?? 'new'}`;
  const [base] = useState(() => (post ? valuesOf(post) : EMPTY_POST));
  const [start] = useState(() => readPostDraft(id, base));
  const [found, setFound] = useState(() => !same(start, base));
  const form = useForm<PostValues>({
    resolver: postResolver,
    defaultValues: start,
    shouldFocusError: false,
  });
  const typed = useWatch({ control: form.control }) as PostValues;
  const [over, setOver] = useState(false);
  const changed = !same(typed, base);
  useDraft(id, base, typed, over);
  const action = useMoneyAction<PostValues>({
    call: async (values, key) => remember(queryClient, await save(post, values, key)),
    success: () => translate(postForm, post ? 'saved' : 'published'),
    fallback: () => translate(postForm, 'failed'),
    // A failure is in no toast: the form says it (docs/rules.md#failures).
    quiet: true,
    refresh: [keys.posts, keys.profiles],
    onDone: () => {
      setOver(true);
      dropPostDraft(id);
      void navigate({ to: '/MyPosts', ignoreBlocker: true });
    },
    onFailed: (error) => serverFieldErrors(form, error, POST_FIELDS),
  });
  const submit = (event: SyntheticEvent) => {
    const { tags, rest, problem } = addTags(form.getValues('tags'), form.getValues('tag'));
    form.setValue('tags', tags);
    form.setValue('tag', rest);
    void form.handleSubmit(
      (values) => {
        // What is typed into the field of tags is meant to be one.
        if (problem) {
          form.setError('tags', { type: 'tag', message: `tags.${problem}` }, { shouldFocus: true });
          notify.error(t(`tags.${problem}`));
        } else action.run(values);
      },
      (invalid) => {
        notify.invalid(firstMessage(t, invalid, POST_FIELDS));
        const first = POST_FIELDS.find((name) => invalid[name]);
        if (first) form.setFocus(first === 'tags' ? 'tag' : first);
      },
    )(event);
  };
  return {
    form,
    submit,
    changed,
    error: action.error,
    saving: action.phase !== 'idle',
    /** The form opened with what had been typed before. */
    found: found && changed,
    startOver: () => {
      form.reset(base);
      setFound(false);
    },
  };
}

export type PostForm = ReturnType<typeof usePostForm>;
