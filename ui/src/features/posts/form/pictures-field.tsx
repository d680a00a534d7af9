import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { ImagePlus, ImageUp } from 'lucide-react';
import { type ClipboardEvent, useId, useRef } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { FileButton } from '@/components/file-button';
import { FieldNote } from '@/components/form-field';
import { ON_PICTURE, PictureTile, useDrop } from '@/components/picture-tile';
import { Field, FieldTitle } from '@/components/ui/field';
import { translate, useTexts } from '@/i18n';
import { postForm } from '@/i18n/en/posts';
import { api, idempotent, send } from '@/lib/api';
import { cn } from '@/lib/cn';
import { errorText } from '@/lib/errors';
import { messageOf } from '@/lib/forms';
import { isFinal, newKey } from '@/lib/idempotency';
import { count } from '@/lib/money';
import { downscale, isPicture, PICTURE_SIZE, UnreadablePictureError } from '@/lib/pictures';
import { sessionEnded, sessionGone } from '@/lib/query-client';
import { notify } from '@/lib/toast';
import { MAX_PICTURES, type PostValues, type Upload } from './form-schema';

type Form = UseFormReturn<PostValues>;

const find = (form: Form, key: string) => form.getValues('uploads').find((one) => one.key === key);

function change(form: Form, key: string, to: Partial<Upload> | null): void {
  form.setValue(
    'uploads',
    form.getValues('uploads').flatMap((one) => (one.key !== key ? [one] : to ? [{ ...one, ...to }] : [])),
  );
  form.clearErrors(['uploads', 'images']);
}

async function upload(form: Form, client: QueryClient, key: string): Promise<void> {
  const one = find(form, key);
  if (!one) return;
  try {
    const { url } = await send(api.POST('/posts/pictures', { body: { image: one.image }, headers: idempotent(one.upload) }));
    // One that was removed meanwhile is deleted by the server after a day.
    if (!find(form, key)) return;
    form.setValue('images', [...form.getValues('images'), url]);
    change(form, key, null);
  } catch (error) {
    change(form, key, {
      failure: errorText(error, translate(postForm, 'picture.failed')),
      ...(isFinal(error) ? { upload: newKey() } : {}),
    });
    if (sessionGone(error)) sessionEnded(client);
  }
}

async function prepare(form: Form, client: QueryClient, key: string, file: File): Promise<void> {
  try {
    change(form, key, { image: await downscale(file, { max: PICTURE_SIZE }) });
  } catch (error) {
    if (!(error instanceof UnreadablePictureError)) throw error;
    change(form, key, { failure: translate(postForm, 'picture.unreadable') });
    return;
  }
  await upload(form, client, key);
}

/** Uploads pictures one by one, in their order, while the other fields are filled in. */
function useUploads(form: Form) {
  const t = useTexts(postForm);
  const client = useQueryClient();
  const queue = useRef(Promise.resolve());
  const queued = (task: () => Promise<void>) => {
    const run = queue.current.then(task);
    queue.current = run.catch(() => undefined);
  };
  return {
    add: (files: readonly File[]) => {
      const pictures = files.filter(isPicture);
      if (pictures.length < files.length) notify.error(t('picture.notImage'));
      const room = MAX_PICTURES - form.getValues('images').length - form.getValues('uploads').length;
      if (pictures.length > room) notify.error(t('pictures.full', { most: MAX_PICTURES }));
      for (const file of pictures.slice(0, room)) {
        const added: Upload = { key: newKey(), image: '', upload: newKey(), failure: null };
        form.setValue('uploads', [...form.getValues('uploads'), added]);
        queued(() => prepare(form, client, added.key, file));
      }
    },
    retry: ({ key }: Upload) => {
      change(form, key, { failure: null });
      queued(() => upload(form, client, key));
    },
  };
}

/** Up to eight pictures, of which the first stands for the post. */
export function PicturesField({ form }: { form: Form }) {
  const t = useTexts(postForm);
  const labelId = useId();
  const noteId = useId();
  const [images, uploads] = useWatch({ control: form.control, name: ['images', 'uploads'] });
  const { add, retry } = useUploads(form);
  const { over, handlers } = useDrop(add);
  const { errors } = form.formState;
  const failure = uploads.find((one) => one.failure !== null)?.failure;
  const error = messageOf(t, (errors.images ?? errors.uploads) as Parameters<typeof messageOf>[1]) ?? failure ?? undefined;
  const chosen = images.length + uploads.length;
  const put = (urls: string[]) => {
    form.setValue('images', urls);
    form.clearErrors('images');
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files].filter(isPicture);
    if (files.length === 0) return;
    event.preventDefault();
    add(files);
  };
  return (
    <Field
      role="group"
      aria-labelledby={labelId}
      className={cn(over && 'outline-2 outline-offset-4 outline-pen')}
      onPaste={onPaste}
      {...handlers}
    >
      <FieldTitle id={labelId}>
        {t('pictures')}
        <small className="text-sm font-normal text-muted-foreground">
          {chosen === 0 ? t('optional') : `${count(chosen)}/${count(MAX_PICTURES)}`}
        </small>
      </FieldTitle>
      {chosen === 0 ? null : (
        <ul className="grid grid-cols-3 gap-2 xs:grid-cols-4" aria-label={t('pictures')}>
          {images.map((url, index) => (
            <PictureTile
              key={url}
              name={t('picture.name', { at: index + 1 })}
              preview={`${url}?w=320`}
              remove={{ label: t('picture.remove', { at: index + 1 }), onClick: () => put(images.filter((one) => one !== url)) }}
            >
              {index === 0 ? null : (
                <button
                  type="button"
                  className={cn(ON_PICTURE, '-bottom-1 -left-1')}
                  aria-label={t('picture.first', { at: index + 1 })}
                  title={t('picture.first', { at: index + 1 })}
                  onClick={() => put([url, ...images.filter((one) => one !== url)])}
                >
                  <ImageUp aria-hidden="true" />
                </button>
              )}
            </PictureTile>
          ))}
          {uploads.map((one, index) => {
            const at = images.length + index + 1;
            return (
              <PictureTile
                key={one.key}
                name={t('picture.name', { at })}
                preview={one.image}
                busy={one.failure === null ? t('picture.uploading', { at }) : null}
                failed={one.failure !== null}
                retry={
                  one.failure !== null && one.image !== ''
                    ? { label: t('picture.retry', { at }), onClick: () => retry(one) }
                    : null
                }
                remove={{ label: t('picture.remove', { at }), onClick: () => change(form, one.key, null) }}
              />
            );
          })}
        </ul>
      )}
      {chosen < MAX_PICTURES ? (
        <FileButton multiple describedBy={noteId} onFiles={add}>
          <ImagePlus aria-hidden="true" />
          {t('pictures.add')}
        </FileButton>
      ) : null}
      <FieldNote id={noteId} live help={t('picturesHelp', { most: MAX_PICTURES })} error={error} />
    </Field>
  );
}
