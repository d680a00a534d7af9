export const MAX_TAGS = 10;
const MAX_TAG = 30;

type Added = { tags: string[]; rest: string; problem: 'many' | 'long' | null };

/**
 * Adds the comma-separated input to the tags, trimmed and without duplicates in any case. What
 * cannot be added stays as `rest`, with the problem.
 */
export function addTags(tags: readonly string[], typed: string): Added {
  const added: Added = { tags: [...tags], rest: '', problem: null };
  const kept: string[] = [];
  for (const part of typed.split(/[,\n]/)) {
    const tag = part.trim();
    const known = added.tags.some((other) => other.toLowerCase() === tag.toLowerCase());
    if (tag === '' || known) continue;
    const problem = Array.from(tag).length > MAX_TAG ? 'long' : added.tags.length >= MAX_TAGS ? 'many' : null;
    if (problem) {
      added.problem ??= problem;
      kept.push(tag);
    } else added.tags.push(tag);
  }
  added.rest = kept.join(', ');
  return added;
}
