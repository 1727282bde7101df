import { ApiKeys } from '../../../parts/keys/api-keys.tsx';
import { can } from '../../../shell/session.ts';
import { SettingsPage } from '../frame.tsx';
import { PublishableKeys } from './publishable-keys.tsx';

export default function Page() {
  return (
    <SettingsPage path="api-keys">
      {() => (
        <>
          <ApiKeys />
          {can('ADMIN') && <PublishableKeys />}
        </>
      )}
    </SettingsPage>
  );
}
