import { dirname, relative, resolve, sep } from 'node:path';

/** Files that may use src/testing. */
const FOR_TESTS = /(?:\.test\.tsx?|\/fixtures\.ts)$/;

/**
 * What each folder of src may import beside itself, as docs/ui.md draws it. Files that stand in src
 * itself may import everything.
 */
const LAYERS = {
  routes: ['features', 'entities', 'hooks', 'components', 'components/ui', 'prerender', 'lib', 'i18n', 'api'],
  features: ['realtime', 'entities', 'hooks', 'components', 'components/ui', 'prerender', 'lib', 'i18n', 'api'],
  realtime: ['entities', 'lib', 'i18n', 'api'],
  entities: ['hooks', 'components', 'components/ui', 'prerender', 'lib', 'i18n', 'api'],
  components: ['hooks', 'components/ui', 'prerender', 'lib', 'i18n', 'api'],
  'components/ui': ['hooks', 'lib', 'i18n'],
  hooks: ['prerender', 'lib', 'i18n', 'api'],
  prerender: ['lib', 'i18n', 'api'],
  lib: ['i18n', 'api'],
  i18n: [],
  api: [],
  'service-worker': [],
};

/**
 * An entity may import those before it. Each is listed; files that stand in src/entities itself are
 * for all of them.
 */
const ENTITIES = ['user', 'wallet', 'deal', 'post', 'chat', 'moderation', 'notification'];

/**
 * The entry of the build that renders pages ahead: it imports the whole application, and nothing
 * imports it.
 */
const RENDER = 'prerender/render';

/** The folder src that a file stands in. */
const srcOf = (file) => /^.*[\\/]ui[\\/]src(?=[\\/])/.exec(file)?.[0];

/** The layer that a path belongs to, and its part: the feature or the entity; null outside src. */
function placeOf(path, src) {
  const parts = relative(src, path).split(sep);
  if (parts[0] === '..') return null;
  if (parts[0] === 'prerender' && /^render(?:\.tsx)?$/.test(parts[1])) return { layer: RENDER };
  if (parts[0] === 'components' && parts[1] === 'ui') return { layer: 'components/ui' };
  const divided = parts[0] === 'features' || (parts[0] === 'entities' && parts.length > 2);
  return { layer: parts[0], part: divided ? parts[1] : undefined };
}

/**
 * Whether one part of a layer may import the other: a feature none, an entity those before it in
 * the list and what belongs to none.
 */
function mayImportPart({ layer, part }, other) {
  if (part === other) return true;
  if (layer !== 'entities') return false;
  if (other === undefined) return true;
  return ENTITIES.includes(other) && ENTITIES.indexOf(other) < ENTITIES.indexOf(part);
}

/** The beginning of what is imported, as far as it is written down. */
function sourceText(node) {
  if (node?.type === 'TemplateLiteral') return node.quasis[0].value.cooked;
  return typeof node?.value === 'string' ? node.value : null;
}

function pathOf(source, file, src) {
  if (source.startsWith('@/')) return resolve(src, source.slice(2));
  return source.startsWith('.') ? resolve(dirname(file), source) : null;
}

/**
 * Imports of the UI go one way, however they are written: from routes down to lib. A feature
 * imports no other feature, an entity those before it.
 */
export const walls = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      feature: 'A feature imports no other feature: share through entities, components or lib, or join them in a route.',
      entity: 'An entity imports those before it alone: {{order}} (ui/tools/walls.js).',
      layer: '{{from}} may not import {{to}}: imports go from routes to features to entities to components to lib.',
      dev: 'src/dev is no part of the product: it imports everything, and nothing imports it.',
      alias: 'Write @/… for what stands in another folder of src.',
      testing: 'src/testing is for tests and their fixtures.',
    },
  },
  create(context) {
    const src = srcOf(context.filename);
    const from = src && placeOf(context.filename, src);
    if (!from || from.layer === 'dev') return {};
    const known = LAYERS[from.layer];

    const check = (node) => {
      const source = sourceText(node);
      const path = source === null ? null : pathOf(source, context.filename, src);
      const to = path && placeOf(path, src);
      if (!to) return;
      if (to.layer === 'dev') {
        context.report({ node, messageId: 'dev' });
      } else if (!known) {
        // It joins everything.
      } else if (to.layer === 'testing') {
        if (!FOR_TESTS.test(context.filename)) context.report({ node, messageId: 'testing' });
      } else if (to.layer === from.layer) {
        if (!mayImportPart(from, to.part)) {
          const messageId = from.layer === 'entities' ? 'entity' : 'feature';
          context.report({ node, messageId, data: { order: ENTITIES.join(', ') } });
        } else if (to.part !== from.part && !source.startsWith('@/')) {
          context.report({ node, messageId: 'alias' });
        }
      } else if (!known.includes(to.layer)) {
        context.report({ node, messageId: 'layer', data: { from: from.layer, to: to.layer } });
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
