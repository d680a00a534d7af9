import { beginningOf } from '@/lib/letters';

export const TITLE_LENGTH = 72;
const SHORTEST = 12;
const SENTENCE_END = /[.!?।](?=\s|$)/gu;
const LOOSE_END = /[\s,;:–-]+$/u;

/**
 * The title of a deal: the first line of its description. A long line is cut after its first
 * sentence, else at a word with "…"; a line without spaces (an address) is cut between graphemes.
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

/** "7f3a-91c2", the end of the id: a UUIDv7 begins with the time. */
export function shortId(id: string): string {
  const tail = id.replaceAll('-', '').slice(-8);
  return `${tail.slice(0, 4)}-${tail.slice(4)}`;
}
