/** The address of the chat inspector: the ids of the two people. */
export type ChatSearch = { one?: string; other?: string };

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function chatSearch({ one, other }: Record<string, unknown>): ChatSearch {
  const isId = (value: unknown): value is string => typeof value === 'string' && ID.test(value);
  return { ...(isId(one) ? { one } : {}), ...(isId(other) ? { other } : {}) };
}
