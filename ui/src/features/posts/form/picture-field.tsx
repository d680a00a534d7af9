import { ImagePlus, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { FileButton } from '@/components/file-button';
import { FieldNote } from '@/components/form-field';
import { Button } from '@/components/ui/button';
import { Field, FieldTitle } from '@/components/ui/field';
import { usePicture } from '@/hooks/use-picture';
import { useTexts } from '@/i18n';
import { postForm } from '@/i18n/en/post-form';
import { messageOf } from '@/lib/forms';
import { PICTURE_SIZE } from '@/lib/pictures';
import type { PostValues } from './form-schema';

export function PictureField({ form }: { form: UseFormReturn<PostValues> }) {
  const t = useTexts(postForm);
  const labelId = useId();
  const noteId = useId();
  const image = useWatch({ control: form.control, name: 'image' });
  const texts = { notImage: t('picture.notImage'), unreadable: t('picture.unreadable') };
  const picture = usePicture(PICTURE_SIZE, texts, (dataUrl) => form.setValue('image', dataUrl));
  const error = picture.error ?? messageOf(t, form.formState.errors.image);
  return (
    <Field role="group" aria-labelledby={labelId}>
      <FieldTitle id={labelId}>
        {t('picture')}
        <small className="text-sm font-normal text-muted-foreground">{t('optional')}</small>
      </FieldTitle>
      {image === '' ? null : (
        <img
          className="aspect-4/3 w-full max-w-80 border-t-2 border-foreground bg-secondary object-cover"
          src={image}
          alt={t('picture.alt')}
        />
      )}
      <div className="flex min-w-0 flex-wrap items-center gap-3">
        <FileButton accept="image/*" describedBy={noteId} busy={picture.busy} onFiles={([file]) => picture.choose(file)}>
          <ImagePlus aria-hidden="true" />
          {t(picture.busy ? 'picture.busy' : image === '' ? 'picture.choose' : 'picture.change')}
        </FileButton>
        {image === '' ? null : (
          <Button variant="ghost" onClick={() => form.setValue('image', '')}>
            <Trash2 aria-hidden="true" />
            {t('picture.remove')}
          </Button>
        )}
      </div>
      <FieldNote id={noteId} help={t('pictureHelp')} error={error} />
    </Field>
  );
}
