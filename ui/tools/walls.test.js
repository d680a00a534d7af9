import { join } from 'node:path';
import { RuleTester } from 'eslint';
import tseslint from 'typescript-eslint';
import { afterAll, describe, it } from 'vitest';
import { walls } from './walls.js';

RuleTester.describe = describe;
RuleTester.it = it;
RuleTester.afterAll = afterAll;

/** Code as it stands in a file below src. */
const at = (file, code, messageId) => ({
  name: `${file}: ${code}`,
  filename: join(import.meta.dirname, '../src', file),
  code,
  ...(messageId ? { errors: [{ messageId }] } : {}),
});

new RuleTester({ languageOptions: { parser: tseslint.parser } }).run('walls', walls, {
  valid: [
    at('routes/_app/deposit.tsx', "import { DepositPage } from '@/features/wallet/deposit-page';"),
    at('features/deals/book.tsx', "import { Hold } from '@/components/khata/hold';"),
    at('features/deals/book.tsx', "import { dealQuery } from './queries';"),
    at('features/deals/book.tsx', "import { dealQuery } from '@/features/deals/queries';"),
    at('features/deals/list-page.tsx', "const load = () => import('./create-dialog');"),
    at('features/admin/users/users-page.tsx', "import { Drawer } from '../drawer';"),
    at('features/deals/book.tsx', "import { useQuery } from '@tanstack/react-query';"),
    at('features/deals/book.test.tsx', "import { renderAt } from '@/testing/render';"),
    at('features/wallet/fixtures.ts', "import { nusrat } from '@/testing/server';"),
    at('components/chat/thread.tsx', "import { Button } from '@/components/ui/button';"),
    at('components/chat/thread.tsx', "import { Rating } from '../rating';"),
    at('components/ui/button.tsx', "import { cn } from '@/lib/cn';"),
    at('components/ui/button.tsx', "import { Spinner } from './spinner';"),
    at('lib/realtime/events.ts', "import { keys } from '../queries';"),
    at('lib/realtime/start.ts', 'const name = "x"; import(name);'),
    at('i18n/language.ts', "const load = () => import('./bn');"),
    at('router.tsx', "import { NotFoundPage } from './features/shell/stand-ins';"),
    at('testing/render.tsx', "import { createAppRouter } from '@/router';"),
    at('../e2e/deals.spec.ts', "import { auth } from '../src/i18n/en/auth';"),
  ],
  invalid: [
    at('features/deals/book.tsx', "import { walletQuery } from '@/features/wallet/queries';", 'feature'),
    at('features/deals/book.tsx', "import { walletQuery } from '../wallet/queries';", 'feature'),
    at('features/admin/users/users-page.tsx', "import { walletQuery } from '../../wallet/queries';", 'feature'),
    at('features/deals/book.tsx', "import type { Wallet } from '../wallet/queries';", 'feature'),
    at('features/deals/book.tsx', "export { walletQuery } from '../wallet/queries';", 'feature'),
    at('features/deals/book.tsx', "export * from '../wallet/queries';", 'feature'),
    at('features/deals/book.tsx', "const load = () => import('@/features/wallet/deposit-form');", 'feature'),
    at('features/deals/book.tsx', 'const load = (page) => import(`@/features/${page}/page.tsx`);', 'feature'),
    at('features/deals/book.tsx', "type Form = typeof import('../wallet/deposit-form');", 'feature'),
    at('features/deals/book.test.tsx', "import { walletQuery } from '../wallet/queries';", 'feature'),
    at('features/deals/book.tsx', "import { Route } from '@/routes/_app/deposit';", 'layer'),
    at('features/deals/book.tsx', "import { createAppRouter } from '@/router';", 'layer'),
    at('features/deals/book.tsx', "import { nusrat } from '@/testing/server';", 'testing'),
    at('components/page.tsx', "import { Footer } from '../features/shell/footer';", 'layer'),
    at('components/ui/button.tsx', "import { Rating } from '../rating';", 'layer'),
    at('components/ui/button.tsx', "const load = () => import('@/components/rating');", 'layer'),
    at('lib/wallet.ts', "import { walletQuery } from '../features/wallet/queries';", 'layer'),
    at('lib/wallet.ts', "import { Rating } from '../components/rating';", 'layer'),
    at('lib/wallet.ts', "const load = () => import('@/features/wallet/deposit-form');", 'layer'),
    at('lib/chat/apply.ts', "import { Button } from '../../components/ui/button';", 'layer'),
    at('i18n/language.ts', "import { cn } from '../lib/cn';", 'layer'),
    at('routes/_app/deposit.tsx', "import { createAppRouter } from '../../router';", 'layer'),
    at('features/deals/book.tsx', "import { cn } from '../../lib/cn';", 'alias'),
  ],
});
