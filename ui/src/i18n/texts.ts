/** A text with a form for each plural category that the language uses; the form is chosen by the `count` parameter. */
export type Plural = { one: string; other: string };
export type Dictionary = Record<string, string | Plural>;

/** A catalogue: the English texts of one part of the product under a name. The Bangla ones lie under the same name in ./bn. */
export type Texts<D extends Dictionary = Dictionary> = { readonly name: string; readonly en: D };

/** Declares a catalogue. Its English texts travel with the code that imports it; all Bangla texts are one lazy chunk. */
export function texts<const D extends Dictionary>(name: string, en: D): Texts<D> {
  return { name, en };
}

/** What a Bangla catalogue must contain: every key of the English one, plural where that is plural. */
export type Translation<T extends Texts> = { [K in keyof T['en']]: T['en'][K] extends string ? string : Plural };

type ParamNames<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamNames<Rest> : never;
type AllParamNames<V> = V extends Plural ? 'count' | ParamNames<V['one']> | ParamNames<V['other']> : ParamNames<V>;
type ParamsOf<V> = { [Name in AllParamNames<V>]: Name extends 'count' ? number : string | number };

/** The parameters of a text as a rest argument: none where the text has no placeholder. */
export type Args<V> = [AllParamNames<V>] extends [never] ? [] : [params: ParamsOf<V>];
export type Key<T extends Texts> = keyof T['en'] & string;
export type Translate<T extends Texts> = <K extends Key<T>>(key: K, ...args: Args<T['en'][K]>) => string;
