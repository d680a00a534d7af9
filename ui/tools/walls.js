import { dirname, relative, resolve, sep } from 'node:path';

const SRC = resolve(import.meta.dirname, '../src');
/** Files that may use src/testing. */
const FOR_TESTS = /(?:\.test\.tsx?|\/fixtures\.ts)$/;

/** What each folder of src knows beside itself, as docs/ui.md draws it. Files that stand in src itself join everything. */
const KNOWS = {
  routes: ['features', 'hooks', 'components', 'components/ui', 'lib', 'i18n', 'api'],
  features: ['hooks', 'components', 'components/ui', 'lib', 'i18n', 'api'],
  components: ['hooks', 'components/ui', 'lib', 'i18n', 'api'],
  'components/ui': ['hooks', 'lib', 'i18n'],
  hooks: ['lib', 'i18n', 'api'],
  lib: ['i18n', 'api'],
  i18n: [],
  api: [],
};

/** The folder that a path belongs to, and in features the feature; null outside src. */
function placeOf(path) {
  const parts = relative(SRC, path).split(sep);
  if (parts[0] === '..') return null;
  const folder = parts[0] === 'components' && parts[1] === 'ui' ? 'components/ui' : parts[0];
  return { folder, feature: folder === 'features' ? parts[1] : undefined };
}

/** The beginning of what is imported, as far as it is written down. */
function sourceText(node) {
  if (node?.type === 'TemplateLiteral') return node.quasis[0].value.cooked;
  return typeof node?.value === 'string' ? node.value : null;
}

function pathOf(source, file) {
  if (source.startsWith('@/')) return resolve(SRC, source.slice(2));
  return source.startsWith('.') ? resolve(dirname(file), source) : null;
}

/** Imports of the UI go one way, however they are written: routes, features, components, lib and i18n; a feature knows no other feature. */
export const walls = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      feature: 'A feature imports no other feature: share through lib or components, or join them in a route.',
      layer: '{{from}} knows nothing of {{to}}: imports go from routes to features to components to lib.',
      alias: 'Write @/… for what stands in another folder of src.',
      testing: 'src/testing is for tests and their fixtures.',
    },
  },
  create(context) {
    const from = placeOf(context.filename);
    const known = from && KNOWS[from.folder];
    if (!known) return {};

    const check = (node) => {
      const source = sourceText(node);
      const path = source === null ? null : pathOf(source, context.filename);
      const to = path && placeOf(path);
      if (!to) return;
      if (to.folder === 'testing') {
        if (!FOR_TESTS.test(context.filename)) context.report({ node, messageId: 'testing' });
      } else if (to.folder === from.folder) {
        if (to.feature !== from.feature) context.report({ node, messageId: 'feature' });
      } else if (!known.includes(to.folder)) {
        context.report({ node, messageId: 'layer', data: { from: from.folder, to: to.folder } });
      } else if (!source.startsWith('@/')) {
        context.report({ node, messageId: 'alias' });
      }
    };
    return {
      'ImportDeclaration, ExportNamedDeclaration, ExportAllDeclaration, ImportExpression, TSImportType': (node) =>
        check(node.source),
    };
  },
};
