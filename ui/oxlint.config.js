import query from '@tanstack/eslint-plugin-query';
import router from '@tanstack/eslint-plugin-router';
import playwright from 'eslint-plugin-playwright';
import testingLibrary from 'eslint-plugin-testing-library';
import { defineConfig } from 'oxlint';
import { ownClasses } from './tools/own-classes.js';

/** Classes without styles of their own: `dark` switches the theme. */
const MARKERS = ['dark'];

const errors = (...rules) => Object.fromEntries(rules.map((rule) => [rule, 'error']));
const off = (...rules) => Object.fromEntries(rules.map((rule) => [rule, 'off']));

// oxlint also checks the types, with TypeScript 7. It must run with one thread (--threads 1), since
// the findings of enforce-canonical-classes depend on the order of the files.
export default defineConfig({
  ignorePatterns: ['dist', 'src/**/*.gen.ts', 'coverage', 'test-results'],
  options: { typeAware: true, typeCheck: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  plugins: ['eslint', 'typescript', 'react', 'jsx-a11y', 'oxc'],
  jsPlugins: [
    './tools/lint-rules.js',
    '@tanstack/eslint-plugin-query',
    '@tanstack/eslint-plugin-router',
    'eslint-plugin-better-tailwindcss',
    'eslint-plugin-playwright',
    'eslint-plugin-testing-library',
  ],
  settings: { 'better-tailwindcss': { cwd: import.meta.dirname, entryPoint: 'src/styles/index.css' } },
  categories: { correctness: 'error', suspicious: 'error' },
  rules: {
    // Rules of these categories that are not wanted.
    ...off(
      'no-shadow',
      'no-underscore-dangle',
      'jsx-a11y/control-has-associated-label',
      'jsx-a11y/prefer-tag-over-role',
      'react/exhaustive-effect-dependencies',
      'react/hooks',
      'react/jsx-key',
      'react/no-unstable-nested-components',
      'react/react-in-jsx-scope',
      'typescript/consistent-return',
      'typescript/no-unsafe-type-assertion',
      // The router's redirect() and notFound() are thrown by design.
      'typescript/only-throw-error',
      'typescript/require-array-sort-compare',
    ),
    // Rules of other categories.
    ...errors(
      'no-array-constructor',
      'no-case-declarations',
      'no-empty',
      'no-empty-function',
      'no-fallthrough',
      'no-prototype-builtins',
      'no-regex-spaces',
      'no-useless-assignment',
      'no-var',
      'prefer-const',
      'prefer-rest-params',
      'prefer-spread',
      'react/rules-of-hooks',
      'react/unsupported-syntax',
    ),
    'max-lines': ['error', { max: 350 }],
    'jsx-a11y/no-noninteractive-element-to-interactive-role': ['error', { ul: ['listbox'], li: ['option'] }],
  },
  overrides: [
    {
      files: ['**/*.{ts,tsx}'],
      rules: {
        ...errors(
          'typescript/adjacent-overload-signatures',
          'typescript/array-type',
          'typescript/ban-ts-comment',
          'typescript/ban-tslint-comment',
          'typescript/class-literal-property-style',
          'typescript/consistent-generic-constructors',
          'typescript/consistent-indexed-object-style',
          'typescript/consistent-type-assertions',
          'typescript/dot-notation',
          'typescript/no-deprecated',
          'typescript/no-dynamic-delete',
          'typescript/no-empty-object-type',
          'typescript/no-explicit-any',
          'typescript/no-inferrable-types',
          'typescript/no-invalid-void-type',
          'typescript/no-misused-promises',
          'typescript/no-mixed-enums',
          'typescript/no-namespace',
          'typescript/no-non-null-assertion',
          'typescript/no-require-imports',
          'typescript/no-unsafe-argument',
          'typescript/no-unsafe-assignment',
          'typescript/no-unsafe-call',
          'typescript/no-unsafe-function-type',
          'typescript/no-unsafe-member-access',
          'typescript/no-unsafe-return',
          'typescript/non-nullable-type-assertion-style',
          'typescript/prefer-find',
          'typescript/prefer-for-of',
          'typescript/prefer-function-type',
          'typescript/prefer-includes',
          'typescript/prefer-literal-enum-member',
          'typescript/prefer-nullish-coalescing',
          'typescript/prefer-optional-chain',
          'typescript/prefer-promise-reject-errors',
          'typescript/prefer-reduce-type-parameter',
          'typescript/prefer-regexp-exec',
          'typescript/prefer-return-this-type',
          'typescript/prefer-string-starts-ends-with',
          'typescript/related-getter-setter-pairs',
          'typescript/require-await',
          'typescript/return-await',
          'typescript/unified-signatures',
          'typescript/use-unknown-in-catch-callback-variable',
        ),
        'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
        'typescript/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
        'typescript/restrict-plus-operands': [
          'error',
          { allowAny: false, allowBoolean: false, allowNullish: false, allowNumberAndString: false, allowRegExp: false },
        ],
        'typescript/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      },
    },
    {
      files: ['**/*.js'],
      rules: { ...errors('no-redeclare', 'no-undef'), ...off('typescript/restrict-template-expressions') },
    },
    { files: ['*.js', 'tools/**'], env: { node: true } },
    { files: ['public/**'], env: { browser: true } },
    {
      // A catalogue has all texts of a feature.
      files: ['src/i18n/{en,bn}/*.ts'],
      rules: off('max-lines'),
    },
    {
      files: ['src/**/*.{ts,tsx}'],
      rules: {
        ...query.configs['flat/recommended'][0].rules,
        ...router.configs['flat/recommended'][0].rules,
        ...errors(
          'local/no-literal-text',
          'local/no-traps',
          'local/walls',
          'better-tailwindcss/enforce-canonical-classes',
          'better-tailwindcss/enforce-consistent-class-order',
          'better-tailwindcss/no-conflicting-classes',
          'better-tailwindcss/no-deprecated-classes',
          'better-tailwindcss/no-duplicate-classes',
          'better-tailwindcss/no-unnecessary-whitespace',
        ),
        'better-tailwindcss/no-unknown-classes': ['error', { ignore: [`^(?:${[...ownClasses(), ...MARKERS].join('|')})$`] }],
        // Scrollable content must be reachable by the keyboard.
        'jsx-a11y/no-noninteractive-tabindex': ['error', { tags: ['section'], roles: ['group', 'log', 'region', 'tabpanel'] }],
        'no-restricted-imports': [
          'error',
          {
            paths: [
              {
                name: 'react',
                importNames: ['lazy'],
                message: 'Use lazyPart: code that cannot be loaded must not take the page away.',
              },
            ],
          },
        ],
      },
    },
    { files: ['src/components/lazy-part.tsx'], rules: off('no-restricted-imports') },
    { files: ['src/lib/enter.ts'], rules: off('local/no-traps') },
    {
      files: ['src/**/*.test.{ts,tsx}'],
      rules: {
        ...testingLibrary.configs['flat/react'].rules,
        ...off(
          // Tests query inside regions and dialogs: `within(panel)`.
          'testing-library/prefer-screen-queries',
          'testing-library/render-result-naming-convention',
          // Order of rows and drawings have no role.
          'testing-library/no-node-access',
          // typescript/no-floating-promises finds the same, and this rule reports awaited calls.
          'testing-library/await-async-utils',
          // Helpers of a file render before each test.
          'testing-library/no-render-in-lifecycle',
        ),
      },
    },
    {
      files: ['src/**/*.test.{ts,tsx}', 'src/testing/**'],
      rules: off('local/no-literal-text', 'local/no-traps'),
    },
    {
      // Files of shadcn's registry come as they are published.
      files: ['src/components/ui/**'],
      rules: off('local/no-literal-text', 'max-lines', 'no-restricted-imports', 'react/purity'),
    },
    {
      // The samples are for developers and in no catalogue, so that the build has none of them.
      files: ['src/dev/**'],
      rules: off('local/no-literal-text'),
    },
    {
      files: ['e2e/**/*.ts'],
      rules: {
        ...playwright.configs['flat/recommended'].rules,
        // A fixture's first argument must be a pattern, even an empty one.
        'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }],
        'playwright/expect-expect': ['error', { assertFunctionPatterns: ['^(expect|announced|attempts)'] }],
        // A fixture's `use` is no hook.
        'react/rules-of-hooks': 'off',
      },
    },
  ],
});
