import { useQueryClient } from '@tanstack/react-query';
import { Link, useBlocker } from '@tanstack/react-router';
import type { Post, User } from '@/api/contract';
import { STACK } from '@/components/classes';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { Failure } from '@/components/failure';
import { Note } from '@/components/note';
import { Page } from '@/components/page';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { postForm } from '@/i18n/en/post-form';
import { cn } from '@/lib/cn';
import { ApiError } from '@/lib/errors';
import { PostFields } from './form-fields';
import { type PostForm, usePostForm } from './use-post-form';

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
          <PendingButton size="lg" type="submit" pending={form.saving} pendingText={tCommon('sending')}>
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
