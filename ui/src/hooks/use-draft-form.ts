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
  /** The rules. Their messages are keys of the catalogue of `t`. */
  schema: z.ZodMiniType<V, V>;
  t: AnyTranslate;
  /** What the fields hold at first. */
  empty: V;
  /** The fields in the order of their rules, by default that of `empty`: the first that breaks one is in the toast and gets the focus. */
  order?: readonly Path<V>[];
  /** The field that gets the focus in the place of one that cannot have it. */
  focus?: Partial<Record<Path<V>, Path<V>>>;
  /** Which field a name or an error code of the server is about, where it is not named like the field. */
  server?: ServerNames<V>;
  /** Keeps the input for the tab, under a name with the user's id. Fixed while the form is open: the input stays its author's. */
  draft?: Draft<NoInfer<V>>;
  /** What the toast says of broken rules; null for none. By default the first message in `order`. */
  toast?: ((broken: FieldErrors<V>) => string) | null;
  /**
   * The call that sends the form. It may outlive it: a dialog is closed and opened again while it runs. Forms that show refusals
   * elsewhere leave out the error.
   */
  mutation: { isPending: boolean; error?: unknown };
  /** Sends checked values. Its promise settles with the answer; undefined if nothing is sent yet, because a question comes first. */
  onSubmit?: (values: V, form: UseFormReturn<V>) => Promise<unknown> | undefined;
};

/**
 * A form: its rules, its draft, and what it shows of refusals. Broken rules are shown at all fields and named once; a refusal of the
 * server is shown at its field. What was typed stays through every failure, and the draft is removed when the call has succeeded, even
 * if the form is gone by then.
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
    // By `order`, not by the order in which the fields are on the page.
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
  /** Goes on if the rules hold, otherwise says which do not. */
  const check = (then: (values: V) => void) => void form.handleSubmit(then, showBroken)();

  // Not a state: the second submit of a double click comes before the next rendering.
  const underway = useRef(false);
  const send = (values: V) => {
    const call = underway.current ? undefined : onSubmit?.(values, form);
    if (!call) return;
    underway.current = true;
    call
      // The mutation says why it failed; the form has what was typed.
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
