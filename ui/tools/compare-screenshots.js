// Compares two folders of `make screenshots`: `npm run compare-screenshots -- before after [diff]`.
// It lists the pictures that differ with the share of their pixels, writes each with its
// differences in red to the third folder, and fails if there are any.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

const [before, after, diff = 'screenshots-diff'] = process.argv.slice(2);
if (!before || !after) {
  console.error('usage: npm run compare-screenshots -- <folder before> <folder after> [folder for the differences]');
  process.exit(2);
}

const picturesOf = (folder) => readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.png'));
const read = (folder, file) => PNG.sync.read(readFileSync(join(folder, file)));

/**
 * The picture on a canvas of that size: pages of different heights are compared as far as the
 * longer one goes.
 */
function onCanvas(picture, width, height) {
  if (picture.width === width && picture.height === height) return picture;
  const canvas = new PNG({ width, height });
  PNG.bitblt(picture, canvas, 0, 0, picture.width, picture.height, 0, 0);
  return canvas;
}

/** Compares one picture of both folders; null if they are the same. */
function compare(file) {
  const [first, second] = [read(before, file), read(after, file)];
  if (first.width === second.width && first.height === second.height && first.data.equals(second.data)) return null;
  const width = Math.max(first.width, second.width);
  const height = Math.max(first.height, second.height);
  const output = new PNG({ width, height });
  const changed = pixelmatch(
    onCanvas(first, width, height).data,
    onCanvas(second, width, height).data,
    output.data,
    width,
    height,
    {
      threshold: 0.02,
      includeAA: true,
    },
  );
  const resized = first.width !== second.width || first.height !== second.height;
  if (changed === 0 && !resized) return null;
  const target = join(diff, file);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, PNG.sync.write(output));
  const size = resized ? `, ${first.width}×${first.height} → ${second.width}×${second.height}` : '';
  return `${((100 * changed) / (width * height)).toFixed(3).padStart(7)} %  ${file}${size}`;
}

rmSync(diff, { recursive: true, force: true });
const files = picturesOf(before);
const old = new Set(files);
const fresh = new Set(picturesOf(after));
const lines = files.flatMap((file) => (fresh.has(file) ? (compare(file) ?? []) : `missing    ${file}`));
for (const file of fresh) if (!old.has(file)) lines.push(`new        ${file}`);

for (const line of lines.sort().reverse()) console.log(line);
console.log(
  `${lines.length} of ${new Set([...files, ...fresh]).size} pictures differ${lines.length > 0 ? `; see ${diff}/` : ''}`,
);
process.exit(lines.length > 0 ? 1 : 0);
