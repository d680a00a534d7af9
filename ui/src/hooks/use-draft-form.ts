import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { type SyntheticEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldError,
  type FieldErrors,
  type FieldValues,
  type Path,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import type * as z from 'zod/mini';
import type { Draft } from '@/lib/draft';
import { type AnyTranslate, firstMessage, messageOf, type ServerNames, serverFieldErrors } from '@/lib/forms';
import { notify } from '@/lib/toast';

type Options<V extends FieldValues> = {
  /** The rules. Their messages are keys of `t`. */
  schema: z.ZodMiniType<V, V>;
  t: AnyTranslate;
  empty: V;
  /** The order of the rules, by default that of `empty`. The first broken one is focused. */
  order?: readonly Path<V>[];
  /** Fields to focus in place of those that cannot have the focus. */
  focus?: Partial<Record<Path<V>, Path<V>>>;
  /** The fields for the server's names and error codes that differ. */
  server?: ServerNames<V>;
  /** Keeps the input for the tab. Read once on mount, so a user switch cannot move the draft. */
  draft?: Draft<NoInfer<V>>;
  /** The toast for broken rules; null for none. By default the first message in `order`. */
  toast?: ((broken: FieldErrors<V>) => string) | null;
  /** Sends the form, and may outlive it. Leave out `error` if refusals are shown elsewhere. */
  mutation: { isPending: boolean; error?: unknown };
  /** Sends valid values. Returns undefined if a question comes first and nothing is sent yet. */
  onSubmit?: (values: V, form: UseFormReturn<V>) => Promise<unknown> | undefined;
};

/**
 * A form with its rules, draft and refusals. All broken rules are shown at their fields and the
 * first is named; the server's refusals are shown at their fields. Input survives every failure,
 * and the draft is dropped when the call succeeds, even after the form is gone.
 */
export function useDraftForm<V extends FieldValues>(options: Options<V>) {
  const { schema, t, empty, focus = {}, server, mutation, onSubmit } = options;
  const order = options.order ?? (Object.keys(empty) as Path<V>[]);
  const [draft] = useState(options.draft);
  const [start] = useState(empty);
  const [defaultValues] = useState(() => draft?.read(empty) ?? empty);
  const form = useForm<V>({
    resolver: standardSchemaResolver(schema),
    defaultValues: defaultValues as DefaultValues<V>,
    // Focuses by `order`, not by the order on the page.
    shouldFocusError: false,
  });
  const { errors } = form.formState;
  useEffect(
    () =>
      draft ? form.subscribe({ formState: { values: true }, callback: ({ values }) => draft.keep(values, start) }) : undefined,
    [form, draft, start],
  );

  const setFocus = (name: Path<V>) => form.setFocus((focus as Partial<Record<string, Path<V>>>)[name] ?? name);
  const showRefusal = useEffectEvent((error: unknown) => {
    const [first] = serverFieldErrors(form, error, order, server);
    if (first) setFocus(first);
  });
  useEffect(() => {
    if (mutation.error) showRefusal(mutation.error);
  }, [mutation.error]);

  const showBroken = (broken: FieldErrors<V>) => {
    if (options.toast !== null) notify.invalid(options.toast ? options.toast(broken) : firstMessage(t, broken, order));
    const first = order.find((name) => broken[name]);
    if (first) setFocus(first);
  };
  const check = (then: (values: V) => void) => void form.handleSubmit(then, showBroken)();

  // A ref, because the second submit of a double click comes before the next render.
  const underway = useRef(false);
  const send = (values: V) => {
    const call = underway.current ? undefined : onSubmit?.(values, form);
    if (!call) return;
    underway.current = true;
    call
      // The mutation reports the failure; the form keeps the input.
      .then(
        () => draft?.drop(),
        () => undefined,
      )
      .finally(() => {
        underway.current = false;
      });
  };
  const submit = (event?: SyntheticEvent) => {
    event?.preventDefault();
    if (!underway.current && !mutation.isPending) check(send);
  };

  return { form, submit, check, errorOf: (name: Path<V>) => messageOf(t, errors[name] as FieldError | undefined) };
}
