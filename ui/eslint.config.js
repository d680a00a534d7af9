import js from '@eslint/js';
import query from '@tanstack/eslint-plugin-query';
import router from '@tanstack/eslint-plugin-router';
import tailwindcss from 'eslint-plugin-better-tailwindcss';
import a11y from 'eslint-plugin-jsx-a11y-x';
import playwright from 'eslint-plugin-playwright';
import reactHooks from 'eslint-plugin-react-hooks';
import testingLibrary from 'eslint-plugin-testing-library';
import tseslint from 'typescript-eslint';
import { noLiteralText } from './tools/no-literal-text.js';
import { ownClasses } from './tools/own-classes.js';
import { walls } from './tools/walls.js';

/** Classes without styles of their own: `dark` switches the theme. */
const MARKERS = ['dark'];

const EVERYWHERE = [
  {
    selector: 'MemberExpression[property.name="isComposing"], BinaryExpression > Literal[value="Enter"]',
    message: 'Use isEnter and isComposing: Safari says in another way that Enter ends a word.',
  },
  {
    selector:
      ':matches(Literal[value=/whitespace-pre-(line|wrap)/]:not([value=/overflow-clip/]), TemplateElement[value.raw=/whitespace-pre-(line|wrap)/]:not([value.raw=/overflow-clip/]))',
    message: 'Add overflow-clip: marks stacked on a letter paint over what is around the text.',
  },
];

export default tseslint.config(
  { ignores: ['dist', 'src/**/*.gen.ts', 'coverage'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // The router's redirect() and notFound() are thrown by design.
      '@typescript-eslint/only-throw-error': 'off',
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      // There are no enums, and the few classes are constructed where they are used. Both rules are
      // slow.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      'max-lines': ['error', { max: 350 }],
    },
  },
  {
    // A catalogue has all texts of a feature.
    files: ['src/i18n/{en,bn}/*.ts'],
    rules: { 'max-lines': 'off' },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    extends: [...query.configs['flat/recommended'], ...router.configs['flat/recommended']],
    plugins: { local: { rules: { 'no-literal-text': noLiteralText, walls } } },
    rules: { 'local/no-literal-text': 'error', 'local/walls': 'error' },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/components/lazy-part.tsx'],
    rules: {
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
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}'], // the rules run React's compiler, which is slow
    extends: [reactHooks.configs.flat.recommended],
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/lib/enter.ts'],
    rules: { 'no-restricted-syntax': ['error', ...EVERYWHERE] },
  },
  {
    files: ['src/**/*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...EVERYWHERE,
        {
          selector:
            'JSXOpeningElement:has(JSXAttribute[name.name="role"][value.value="status"]):not(:has(JSXAttribute[name.name="aria-live"]))',
          message: 'An open dialog hides a status from screen readers unless it has aria-live, too.',
        },
      ],
    },
  },
  {
    files: ['src/**/*.tsx'],
    ignores: ['**/*.test.tsx', 'src/testing/**'],
    plugins: { 'jsx-a11y-x': a11y },
    rules: {
      ...a11y.configs.recommended.rules,
      // Scrollable content must be reachable by the keyboard.
      'jsx-a11y-x/no-noninteractive-tabindex': ['error', { tags: ['section'], roles: ['group', 'log', 'region', 'tabpanel'] }],
    },
  },
  {
    files: ['src/**/*.test.{ts,tsx}'],
    extends: [testingLibrary.configs['flat/react']],
    rules: {
      // Tests query inside regions and dialogs: `within(panel)`.
      'testing-library/prefer-screen-queries': 'off',
      'testing-library/render-result-naming-convention': 'off',
      // Order of rows and drawings have no role.
      'testing-library/no-node-access': 'off',
      // @typescript-eslint/no-floating-promises finds the same, and this rule reports awaited
      // calls.
      'testing-library/await-async-utils': 'off',
      // Helpers of a file render before each test.
      'testing-library/no-render-in-lifecycle': 'off',
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { 'better-tailwindcss': tailwindcss },
    settings: { 'better-tailwindcss': { cwd: import.meta.dirname, entryPoint: 'src/styles/index.css' } },
    rules: {
      'better-tailwindcss/no-unknown-classes': ['error', { ignore: [`^(?:${[...ownClasses(), ...MARKERS].join('|')})$`] }],
      'better-tailwindcss/no-conflicting-classes': 'error',
      'better-tailwindcss/no-duplicate-classes': 'error',
      'better-tailwindcss/no-deprecated-classes': 'error',
      'better-tailwindcss/no-unnecessary-whitespace': 'error',
      'better-tailwindcss/enforce-canonical-classes': 'error',
      'better-tailwindcss/enforce-consistent-class-order': 'error',
    },
  },
  {
    files: ['**/*.test.{ts,tsx}', 'src/testing/**'],
    rules: { 'local/no-literal-text': 'off', 'no-restricted-syntax': 'off' },
  },
  {
    // Files of shadcn's registry come as they are published.
    files: ['src/components/ui/**'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: {
      'local/no-literal-text': 'off',
      'max-lines': 'off',
      'no-restricted-imports': 'off',
      'react-hooks/purity': 'off',
    },
  },
  {
    // The samples are for developers and in no catalogue, so that the build has none of them.
    files: ['src/dev/**'],
    rules: { 'local/no-literal-text': 'off' },
  },
  {
    files: ['e2e/**/*.ts'],
    extends: [playwright.configs['flat/recommended']],
    rules: {
      // A fixture's first argument must be a pattern, even an empty one.
      'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }],
      'playwright/expect-expect': ['error', { assertFunctionPatterns: ['^(expect|announced|attempts)'] }],
    },
  },
  {
    files: ['**/*.js'],
    languageOptions: {
      globals: {
        addEventListener: 'readonly',
        document: 'readonly',
        localStorage: 'readonly',
        matchMedia: 'readonly',
        navigator: 'readonly',
        console: 'readonly',
        process: 'readonly',
        window: 'readonly',
      },
    },
  },
);
