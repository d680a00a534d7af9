import { Ban, ShieldCheck } from 'lucide-react';
import type { AdminUser } from '@/api/contract';
import { Badge } from '@/components/ui/badge';
import { useTexts } from '@/i18n';
import { adminUsers } from '@/i18n/en/admin';

export function UserState({ user }: { user: AdminUser }) {
  const t = useTexts(adminUsers);
  if (user.disabledAt !== null) {
    return (
      <Badge variant="failed">
        <Ban aria-hidden="true" />
        {t('disabled')}
      </Badge>
    );
  }
  if (!user.isAdmin) return null;
  return (
    <Badge variant="active">
      <ShieldCheck aria-hidden="true" />
      {t('admin')}
    </Badge>
  );
}
