export type Piece = { text: string; changed: boolean };

/** Larger comparisons would block the page, so the texts are shown as wholly changed. */
const MAX_PAIRS = 4_000_000;

const wordsOf = (text: string): string[] => text.match(/\s+|[^\s]+/g) ?? [];

function sameStart(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && one[count] === other[count]) count++;
  return count;
}

function commonWords(before: readonly string[], after: readonly string[]): [boolean[], boolean[]] {
  const kept: [boolean[], boolean[]] = [before.map(() => false), after.map(() => false)];
  if (before.length * after.length > MAX_PAIRS) return kept;
  const width = after.length + 1;
  // Lengths of the longest common subsequence from each pair of words on.
  const lengths = new Uint16Array((before.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        before[row] === after[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  for (let row = 0, column = 0; row < before.length && column < after.length; ) {
    if (before[row] === after[column]) {
      kept[0][row++] = true;
      kept[1][column++] = true;
    } else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  }
  return kept;
}

/** Joins neighbours of one kind. White space is changed only between two changed words. */
function joined(words: readonly string[], kept: readonly boolean[]): Piece[] {
  const isSpace = (index: number) => words[index]?.trim() === '';
  const isChanged = (index: number) =>
    isSpace(index) ? kept[index - 1] === false && kept[index + 1] === false : kept[index] === false;
  const pieces: Piece[] = [];
  words.forEach((text, index) => {
    const changed = isChanged(index);
    const last = pieces.at(-1);
    if (last?.changed === changed) last.text += text;
    else pieces.push({ text, changed });
  });
  return pieces;
}

export function wordDiff(before: string, after: string): { before: Piece[]; after: Piece[] } {
  const [old, fresh] = [wordsOf(before), wordsOf(after)];
  const start = sameStart(old, fresh);
  const end = sameStart(old.slice(start).reverse(), fresh.slice(start).reverse());
  const middle = (words: string[]) => words.slice(start, words.length - end);
  const [keptOld, keptFresh] = commonWords(middle(old), middle(fresh));
  const whole = (kept: boolean[]) => [...Array<boolean>(start).fill(true), ...kept, ...Array<boolean>(end).fill(true)];
  return { before: joined(old, whole(keptOld)), after: joined(fresh, whole(keptFresh)) };
}
