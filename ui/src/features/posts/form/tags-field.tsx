import { X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { FormField } from '@/components/form-field';
import { Input } from '@/components/ui/input';
import { useTexts } from '@/i18n';
import { postForm } from '@/i18n/en/post-form';
import { isEnter } from '@/lib/enter';
import { messageOf } from '@/lib/forms';
import { count } from '@/lib/money';
import type { PostValues } from './form-schema';
import { addTags, MAX_TAGS } from './tags';

export function TagsField({ form }: { form: UseFormReturn<PostValues> }) {
  const t = useTexts(postForm);
  const [tags, tag] = useWatch({ control: form.control, name: ['tags', 'tag'] });
  const add = (typed: string) => {
    const { tags: now, rest, problem } = addTags(tags, typed);
    form.setValue('tags', now);
    form.setValue('tag', rest);
    if (problem) form.setError('tags', { type: 'tag', message: `tags.${problem}` });
    else form.clearErrors('tags');
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // Enter never submits the form here.
    if (!isEnter(event)) return;
    event.preventDefault();
    add(tag);
  };
  const remove = (gone: string) => {
    form.setValue(
      'tags',
      tags.filter((other) => other !== gone),
    );
    form.clearErrors('tags');
    form.setFocus('tag');
  };
  const registered = form.register('tag');
  return (
    <div className="grid min-w-0 content-start gap-2">
      <FormField
        label={t('tags')}
        aside={tags.length === 0 ? t('optional') : `${count(tags.length)}/${count(MAX_TAGS)}`}
        help={t('tagsHelp')}
        error={messageOf(t, form.formState.errors.tags as Parameters<typeof messageOf>[1])}
      >
        {(control) => (
          <Input
            autoComplete="off"
            enterKeyHint="enter"
            {...control}
            {...registered}
            value={tag}
            onChange={({ target }) => (/[,\n]/.test(target.value) ? add(target.value) : form.setValue('tag', target.value))}
            onKeyDown={onKeyDown}
          />
        )}
      </FormField>
      <p className="sr-only" role="status" aria-live="polite">
        {tags.length === 0 ? null : t('tags.now', { count: tags.length })}
      </p>
      {tags.length === 0 ? null : (
        <ul className="flex min-w-0 flex-wrap items-center gap-3" aria-label={t('tags')}>
          {tags.map((name) => (
            <li key={name} className="inline-flex items-center gap-1 rounded-xs bg-secondary pl-2.5 text-sm wrap-anywhere">
              {name}
              <button
                type="button"
                className="grid size-11 flex-none place-items-center hover:bg-muted"
                aria-label={t('tags.remove', { tag: name })}
                onClick={() => remove(name)}
              >
                <X className="size-4" aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
