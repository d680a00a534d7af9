// The catalogues as JSON for translators: `npm run --silent texts -- export bn > bn.json`, then
// `npm run texts -- import bn bn.json`.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

const I18N = resolve(import.meta.dirname, '../src/i18n');
const LANGUAGES = ['en', 'bn'];
/** Texts of the server, whose English is generated. */
const OF_SERVER = { refusals: 'refusals', dealRefusals: 'refusals', outcomes: 'outcomes' };

/**
 * The value of a literal. Each string is an object with its place in the source, so that it can be
 * replaced there.
 */
function valueOf(node) {
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) return valueOf(node.expression);
  if (ts.isStringLiteralLike(node)) return { text: node.text, start: node.getStart(), end: node.end };
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(valueOf);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (!ts.isObjectLiteralExpression(node)) throw new Error(`${node.getSourceFile().fileName}: ${node.getText()} is no text`);
  const properties = node.properties.filter(ts.isPropertyAssignment);
  return new Map(properties.map(({ name, initializer }) => [name.text, valueOf(initializer)]));
}

/**
 * The catalogues in a file, by name. `texts('wallet', {…})` in English, `wallet = {…}` in Bangla; a
 * static page is `text`.
 */
function cataloguesIn(file, page) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  return source.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) =>
    declarationList.declarations.map(({ name, initializer }) => {
      const literal = ts.isCallExpression(initializer) ? initializer.arguments[1] : initializer;
      return { name: page ?? name.text, file, value: valueOf(literal) };
    }),
  );
}

function readCatalogues(language) {
  const names = readdirSync(join(I18N, language), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.ts') && name !== 'index.ts').sort();
  const all = files.flatMap((name) =>
    cataloguesIn(join(I18N, language, name), name.startsWith('pages/') ? name.slice(0, -3) : undefined),
  );
  return new Map(all.map((catalogue) => [catalogue.name, catalogue]));
}

function sentences() {
  return new Map(cataloguesIn(join(I18N, 'sentences.gen.ts')).map(({ name, value }) => [name, value]));
}

function plain(value) {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, part]) => [key, plain(part)]));
  if (Array.isArray(value)) return value.map(plain);
  return value === true ? true : value.text;
}

/** All texts of a language, by catalogue and key. */
export function exportTexts(language) {
  return Object.fromEntries([...readCatalogues(language).values()].map(({ name, value }) => [name, plain(value)]));
}

const isPlural = (value) => value instanceof Map && value.size === 2 && value.has('one') && value.has('other');

/** The {placeholders} and <links> of a text, of all its plural forms. */
function marksOf(text) {
  const forms = typeof text === 'string' ? [text] : Object.values(text);
  return new Set(forms.flatMap((form) => form.match(/\{\w+\}|<\/?\w+>/g) ?? []));
}

/** Compares a text with its English one; the server's sentences may leave values out. */
function checkMarks(text, english, someMissing, report) {
  const [has, wants] = [marksOf(text), marksOf(english)];
  for (const mark of has) if (!wants.has(mark)) report(`${mark} is unknown here`);
  for (const mark of wants) if (!has.has(mark) && !someMissing) report(`${mark} is missing`);
}

/** Walks the source's value and the given one, and notes the strings that differ. */
function compare(value, given, path, { problems, edits, check }) {
  const report = (what) => problems.push(`${path}: ${what}`);
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  if (value instanceof Map) {
    if (!isObject) return report(isPlural(value) ? 'needs the forms "one" and "other"' : 'is no object');
    const last = problems.length;
    for (const key of value.keys()) if (!Object.hasOwn(given, key)) problems.push(`${path}.${key}: is missing`);
    for (const key of Object.keys(given)) if (!value.has(key)) problems.push(`${path}.${key}: is unknown`);
    if (problems.length > last) return;
    for (const [key, part] of value) {
      compare(part, given[key], `${path}.${key}`, { problems, edits, check: isPlural(value) ? () => undefined : check });
    }
    if (isPlural(value) && problems.length === last) check(path, given, report);
  } else if (Array.isArray(value)) {
    if (!Array.isArray(given) || given.length !== value.length) return report(`is no list of ${value.length}`);
    value.forEach((part, index) => compare(part, given[index], `${path}.${index}`, { problems, edits, check }));
  } else if (value === true) {
    if (given !== true) report('is not true');
  } else if (typeof given !== 'string' || given.trim() === '') {
    report('is no text');
  } else {
    check(path, given, report);
    if (given !== value.text) edits.push({ ...value, given });
  }
}

const ofPath = (catalogue, path) => path.split('.').reduce((part, key) => part?.[key], catalogue);

/** How the texts of a catalogue are checked against their English. */
function checkOf(name, english) {
  const server = Object.hasOwn(OF_SERVER, name);
  return (path, given, report) => {
    // Keys contain dots, so that they are cut off the name instead of split.
    const key = path.slice(name.length + 1);
    const text = english?.[key] ?? ofPath(english, key);
    if (text !== undefined) checkMarks(given, text, server, report);
  };
}

const literal = (text) => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;

function edited(file, edits) {
  const last = edits.toSorted((a, b) => b.start - a.start);
  return last.reduce(
    (source, { start, end, given }) => source.slice(0, start) + literal(given) + source.slice(end),
    readFileSync(file, 'utf8'),
  );
}

/**
 * Returns what is wrong with the texts, or else the files that they change, with their new content.
 */
export function importTexts(language, texts) {
  const catalogues = readCatalogues(language);
  const english = { ...exportTexts('en'), ...Object.fromEntries([...sentences()].map(([name, value]) => [name, plain(value)])) };
  const problems = Object.keys(texts)
    .filter((name) => !catalogues.has(name))
    .map((name) => `${name}: is unknown`);
  const files = new Map();
  for (const { name, file, value } of catalogues.values()) {
    const edits = [];
    compare(value, texts[name], name, { problems, edits, check: checkOf(name, english[OF_SERVER[name] ?? name]) });
    if (edits.length > 0) files.set(file, [...(files.get(file) ?? []), ...edits]);
  }
  if (problems.length > 0) return { problems, files: new Map() };
  return { problems, files: new Map([...files].map(([file, edits]) => [file, edited(file, edits)])) };
}

function main([task, language, path]) {
  if (LANGUAGES.includes(language) && task === 'export') {
    console.log(JSON.stringify(exportTexts(language), null, 2));
  } else if (LANGUAGES.includes(language) && task === 'import' && path) {
    const { problems, files } = importTexts(language, JSON.parse(readFileSync(path, 'utf8')));
    if (problems.length > 0) throw new Error(`Nothing is imported:\n${problems.join('\n')}`);
    for (const [file, content] of files) writeFileSync(file, content);
    if (files.size > 0) execFileSync('npx', ['biome', 'format', '--write', ...files.keys()], { stdio: 'inherit' });
  } else {
    throw new Error('usage: catalogue.js export en|bn, catalogue.js import en|bn FILE');
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    main(process.argv.slice(2));
  } catch ({ message }) {
    console.error(message);
    process.exitCode = 1;
  }
}
