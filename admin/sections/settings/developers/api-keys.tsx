import { ApiKeys } from '../../../parts/api-keys.tsx';
import { SettingsPage } from '../frame.tsx';

export default function Page() {
  return <SettingsPage path="api-keys">{() => <ApiKeys />}</SettingsPage>;
}
