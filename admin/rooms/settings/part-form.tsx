import type { ComponentChildren } from 'preact';
import { SkeletonRows } from '../../parts/data-list.tsx';
import { type FormRecord, RecordNotices, SaveBar } from '../../parts/record.tsx';
import { SettingsPage } from './frame.tsx';

type Props<T extends object> = {
  path: string;
  record: FormRecord<T>;
  names?: Partial<Record<keyof T, string>>;
  children: (values: T) => ComponentChildren;
};

/** A page of the settings that is a form. */
export const PartForm = <T extends object>({ path, record, names, children }: Props<T>) => (
  <SettingsPage path={path}>
    {() => (
      <>
        <RecordNotices record={record} {...(names ? { names } : {})} />
        {!record.values && !record.error && <SkeletonRows count={4} />}
        {record.values && children(record.values)}
        {record.values && <SaveBar record={record} />}
      </>
    )}
  </SettingsPage>
);
