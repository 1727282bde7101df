import type { ComponentChildren } from 'preact';
import { RecordNotices, SaveBar } from '../../../parts/editing/record-view.tsx';
import type { FormRecord } from '../../../parts/editing/use-record.ts';
import { SkeletonRows } from '../../../parts/placeholders.tsx';
import { SettingsPage } from '../frame.tsx';

type Props<T extends object> = {
  path: string;
  record: FormRecord<T>;
  names?: Partial<Record<keyof T, string>>;
  actions?: ComponentChildren;
  /** Links to the other tabs of the page. */
  tabs?: ComponentChildren;
  children: (values: T) => ComponentChildren;
};

/** A settings page with a form. */
export const PartForm = <T extends object>({ path, record, names, actions, tabs, children }: Props<T>) => (
  <SettingsPage path={path} actions={actions}>
    {() => (
      <>
        {tabs}
        <RecordNotices record={record} {...(names ? { names } : {})} />
        {!record.values && !record.error && <SkeletonRows count={4} />}
        {record.values && children(record.values)}
        {record.values && <SaveBar record={record} />}
      </>
    )}
  </SettingsPage>
);
