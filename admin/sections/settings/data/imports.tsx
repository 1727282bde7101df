import { ImportsAndExports } from '../../imports/overview.tsx';
import { SettingsPage } from '../frame.tsx';

export default function Page() {
  return <SettingsPage path="imports">{() => <ImportsAndExports />}</SettingsPage>;
}
