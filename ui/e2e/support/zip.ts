import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const END_SIZE = 22;
const DEFLATED = 8;

export function unzip(archive: Buffer): Map<string, Buffer> {
  let end = archive.length - END_SIZE;
  while (end >= 0 && archive.readUInt32LE(end) !== END) end--;
  if (end < 0) throw new Error('this is no ZIP archive');
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let rest = archive.readUInt16LE(end + 10); rest > 0; rest--) {
    if (archive.readUInt32LE(at) !== ENTRY) throw new Error('the list of the ZIP archive is broken');
    const [method, size] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20)];
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const start = archive.readUInt32LE(at + 42);
    const name = archive.toString('utf8', at + 46, at + 46 + nameSize);
    const begin = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28);
    const content = archive.subarray(begin, begin + size);
    files.set(name, method === DEFLATED ? inflateRawSync(content) : content);
    at += 46 + nameSize + extraSize + commentSize;
  }
  return files;
}
