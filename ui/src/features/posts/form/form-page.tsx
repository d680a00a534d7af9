import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { Link, useBlocker, useNavigate } from '@tanstack/react-router';
import { type SyntheticEvent, useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import type { Post, User } from '@/api/contract';
import { STACK } from '@/components/classes';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { Failure } from '@/components/failure';
import { Note } from '@/components/note';
import { Page } from '@/components/page';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { keys } from '@/entities/keys';
import { isCategory } from '@/entities/post/categories';
import { postQuery } from '@/entities/post/post-query';
import { useMe } from '@/entities/user/queries';
import { useMoneyAction } from '@/entities/wallet/operations';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useStillHere } from '@/hooks/use-still-here';
import { translate, useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { postForm } from '@/i18n/en/posts';
import { api, idempotent, send } from '@/lib/api';
import { cn } from '@/lib/cn';
import { type Draft, textDraft } from '@/lib/draft';
import { ApiError } from '@/lib/errors';
import { notify } from '@/lib/toast';
import { addToMine } from '../queries';
import { PostFields } from './form-fields';
import { addTags, EMPTY_POST, type PostValues, postBody, postSchema, valuesOf } from './form-schema';

/** Pictures that are not on the server yet are too large to store. */
const textsOf = (values: PostValues) => ({
  ...values,
  tags: values.tags.join('\n'),
  images: values.images.join('\n'),
  uploads: '',
  facts: JSON.stringify(values.facts),
});

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** The draft of changes. `id` combines the user with the post or "new". */
function postDraft(id: string): Draft<PostValues> {
  const texts = textDraft(`post:${id}`);
  return {
    read: (base) => {
      const typed = texts.read(textsOf(base));
      return {
        ...typed,
        category: isCategory(typed.category) ? typed.category : '',
        tags: linesOf(typed.tags),
        images: linesOf(typed.images),
        uploads: [],
        facts: JSON.parse(typed.facts) as PostValues['facts'],
      };
    },
    keep: (values, base) => texts.keep(textsOf(values), textsOf(base)),
    drop: texts.drop,
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

const same = (a: PostValues, b: PostValues): boolean =>
  FIELDS.every((field) => JSON.stringify(a[field]) === JSON.stringify(b[field]));

/** The form of a new or given post. Input survives failures, navigation and reloads. */
function usePostForm(post: Post | undefined) {
  const queryClient = useQueryClient();
  const t = useTexts(postForm);
  const navigate = useNavigate();
  const here = useStillHere();
  const id = `${useMe()._id}:${post?._id ?? 'new'}`;
  const [base] = useState(() => (post ? valuesOf(post) : EMPTY_POST));
  const saved = useRef<Post | undefined>(undefined);
  const action = useMoneyAction<PostValues>({
    call: async (values, key) => {
      saved.current = await save(post, values, key);
      remember(queryClient, saved.current);
    },
    success: () => translate(postForm, post ? 'saved' : 'published'),
    fallback: () => translate(postForm, 'failed'),
    // The form shows failures, without a toast (docs/rules.md#failures).
    quiet: true,
    refresh: [keys.posts, keys.profiles],
    onDone: () => {
      if (!here()) return;
      const state = saved.current && !post ? { published: { _id: saved.current._id, title: saved.current.title } } : {};
      void navigate({ to: '/MyPosts', ignoreBlocker: true, state });
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

type PostForm = ReturnType<typeof usePostForm>;

/** Asks before unsaved input is left, but not on a logout or a change of user. */
function LeaveGuard({ unsaved }: { unsaved: boolean }) {
  const t = useTexts(postForm);
  const queryClient = useQueryClient();
  const { _id: author } = useMe();
  const held = () => unsaved && queryClient.getQueryData<User | null>(keys.me)?._id === author;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && held(),
    enableBeforeUnload: held,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      open={status === 'blocked'}
      back={false}
      onClose={() => reset?.()}
      title={t('leave.title')}
      text={t('leave.text')}
      action={<Button onClick={() => proceed?.()}>{t('leave.yes')}</Button>}
      cancel={t('leave.no')}
    />
  );
}

function DraftNote({ form, edit }: { form: PostForm; edit: boolean }) {
  const t = useTexts(postForm);
  if (!form.found) return null;
  return (
    <Note kind="info" className="mt-4 max-w-160">
      {t('draft.found')}{' '}
      <Button variant="link" className="min-h-6" onClick={form.startOver}>
        {t(edit ? 'draft.edit' : 'draft.new')}
      </Button>
    </Note>
  );
}

/** /posts/create, and /posts/edit/{postId} with the post. */
export function PostFormPage({ post }: { post?: Post }) {
  const t = useTexts(postForm);
  const tCommon = useTexts(common);
  const form = usePostForm(post);
  const kind = post ? 'edit' : 'new';
  const title = t(`${kind}.title`);
  // Errors of fields are not repeated beside the button.
  const unplaced = form.error instanceof ApiError && Object.keys(form.error.fields).length > 0 ? null : form.error;
  return (
    <Page title={title}>
      <h1 className="font-display text-display-lg">{title}</h1>
      <p className="mt-2 text-lede text-muted-foreground">{t(`${kind}.lede`)}</p>
      <DraftNote form={form} edit={post !== undefined} />
      <form className={cn(STACK, 'mt-8 max-w-160 gap-6')} noValidate onSubmit={form.submit}>
        <PostFields form={form.form} />
        <Failure error={unplaced} fallback={t('failed')} />
        <div className="flex min-w-0 flex-wrap items-center gap-3">
          <PendingButton size="lg" type="submit" pending={form.saving}>
            {t(post ? 'save' : 'publish')}
          </PendingButton>
          <Button asChild variant="ghost">
            <Link to="/MyPosts">{tCommon('cancel')}</Link>
          </Button>
        </div>
      </form>
      <LeaveGuard unsaved={form.changed} />
    </Page>
  );
}
