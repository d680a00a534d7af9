import { beginningOf } from '@/lib/letters';

/** The letters a title may have. */
export const TITLE_LENGTH = 72;
const SHORTEST = 12;
const SENTENCE_END = /[.!?।](?=\s|$)/gu;
const LOOSE_END = /[\s,;:–-]+$/u;

/**
 * The title of a deal: the first line of its description. A long line ends with its first sentence, else at a word's end with "…"; a line
 * without spaces (an address) is cut between letters, never inside one.
 */
export function titleOf(description: string): string {
  const line = description.trim().split(/\r?\n/, 1)[0]?.trim() ?? '';
  const head = beginningOf(line, TITLE_LENGTH);
  if (head === line) return line.replace(/(?<!\.)\.$/u, '');
  for (const end of head.matchAll(SENTENCE_END)) {
    if (end.index >= SHORTEST) return head.slice(0, end.index);
  }
  const space = head.lastIndexOf(' ');
  const cut = space >= SHORTEST ? head.slice(0, space) : head;
  return `${cut.replace(LOOSE_END, '')}…`;
}

/** "7f3a-91c2": the end of the id, because the beginning of a UUIDv7 is the time and alike for deals of one day. */
export function shortId(id: string): string {
  const tail = id.replaceAll('-', '').slice(-8);
  return `${tail.slice(0, 4)}-${tail.slice(4)}`;
}
