import { ApiKeys } from '../../parts/keys/api-keys.tsx';
import { AccountPage } from './frame.tsx';

export default function Page() {
  return (
    <AccountPage path="keys">
      <ApiKeys />
    </AccountPage>
  );
}
