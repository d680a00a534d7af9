import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SyntheticEvent, useState } from 'react';
import { useWatch } from 'react-hook-form';
import type { Post } from '@/api/contract';
import { keys } from '@/entities/keys';
import { isCategory } from '@/entities/post/categories';
import { postQuery } from '@/entities/post/post-query';
import { useMe } from '@/entities/user/queries';
import { useMoneyAction } from '@/entities/wallet/operations';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useStillHere } from '@/hooks/use-still-here';
import { translate, useTexts } from '@/i18n';
import { postForm } from '@/i18n/en/post-form';
import { api, idempotent, send } from '@/lib/api';
import { type Draft, textDraft } from '@/lib/draft';
import { notify } from '@/lib/toast';
import { addToMine } from '../queries';
import { addTags, EMPTY_POST, type PostValues, postBody, postSchema, valuesOf } from './form-schema';

// The picture is stored separately: it is large, and written only when it changes.
const NO_PICTURE = 'none';

const textsOf = (values: PostValues) => ({ ...values, tags: values.tags.join('\n'), image: '' });
const pictureOf = ({ image }: PostValues) => ({ image: image === '' ? NO_PICTURE : image });

/** The draft of changes. `id` combines the user with the post or "new". */
function postDraft(id: string): Draft<PostValues> {
  const texts = textDraft(`post:${id}`);
  const picture = textDraft(`post:${id}:picture`);
  let kept: string | null = null;
  return {
    read: (base) => {
      const typed = texts.read(textsOf(base));
      const { image } = picture.read({ image: base.image });
      return {
        ...typed,
        category: isCategory(typed.category) ? typed.category : '',
        tags: typed.tags.split('\n').filter((tag) => tag !== ''),
        image: image === NO_PICTURE ? '' : image,
      };
    },
    keep: (values, base) => {
      texts.keep(textsOf(values), textsOf(base));
      if (values.image !== kept) picture.keep(pictureOf(values), pictureOf(base));
      kept = values.image;
    },
    drop: () => {
      texts.drop();
      picture.drop();
    },
  };
}

/** Puts a saved post into the cached lists, because the user's posts are shown next. */
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

/** The form of a new or given post. Input survives failures, navigation and reloads. */
export function usePostForm(post: Post | undefined) {
  const queryClient = useQueryClient();
  const t = useTexts(postForm);
  const navigate = useNavigate();
  const here = useStillHere();
  const id = `${useMe()._id}:${post?._id ?? 'new'}`;
  const [base] = useState(() => (post ? valuesOf(post) : EMPTY_POST));
  const action = useMoneyAction<PostValues>({
    call: async (values, key) => remember(queryClient, await save(post, values, key)),
    success: () => translate(postForm, post ? 'saved' : 'published'),
    fallback: () => translate(postForm, 'failed'),
    // The form shows failures, without a toast (docs/rules.md#failures).
    quiet: true,
    refresh: [keys.posts, keys.profiles],
    onDone: () => {
      if (here()) void navigate({ to: '/MyPosts', ignoreBlocker: true });
    },
  });
  const { form, submit } = useDraftForm({
    schema: postSchema,
    t,
    empty: base,
    order: FIELDS,
    focus: { tags: 'tag' },
    draft: postDraft(id),
    mutation: action,
    onSubmit: (values, { setError, setFocus }) => {
      // Counts a tag that is still being typed.
      const { problem } = addTags(values.tags, values.tag);
      if (!problem) return action.runAsync(values);
      setError('tags', { type: 'tag', message: `tags.${problem}` });
      setFocus('tag');
      notify.error(t(`tags.${problem}`));
      return undefined;
    },
  });
  const typed = useWatch({ control: form.control }) as PostValues;
  const changed = !same(typed, base);
  return {
    form,
    submit: (event: SyntheticEvent) => {
      const { tags, rest } = addTags(form.getValues('tags'), form.getValues('tag'));
      form.setValue('tags', tags);
      form.setValue('tag', rest);
      submit(event);
    },
    changed,
    error: action.error,
    saving: action.isPending,
    found: changed && !same(form.formState.defaultValues as PostValues, base),
    startOver: () => form.reset(base),
  };
}

export type PostForm = ReturnType<typeof usePostForm>;
