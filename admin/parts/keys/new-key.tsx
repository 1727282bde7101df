import type { ApiToken } from '@souk/client';
import { useState } from 'preact/hooks';
import { PERMISSIONS } from '../../sections/settings/team/permissions.ts';
import { business, businesses, type Permission, reloadMe } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { Dialog, DialogActions } from '../dialog.tsx';
import { CheckField, Form, optional, TagsField, TextField } from '../form/form.tsx';
import { DateField } from '../form/number-fields.tsx';
import { useAction } from '../load.ts';
import { Problem, problemOf } from '../problem.tsx';
import { changeKeys } from './change-keys.ts';

type Props = { close: () => void; done: (keys: ApiToken[], key: ApiToken) => void; previous: ApiToken[] };

export function NewKey({ close, done, previous }: Props) {
  const [name, setName] = useState('');
  const [expiresAt, setExpiresAt] = useState<number | null>(null);
  const [networks, setNetworks] = useState<string[]>([]);
  const [isLimited, setLimited] = useState(false);
  const [chosen, setChosen] = useState<string[]>(business.value ? [business.value.id] : []);
  const [permissions, setPermissions] = useState<Permission[]>([]);
  const { run, isBusy, error } = useAction(async () => {
    const known = new Set(previous.map(({ id }) => id));
    const key = {
      name: name.trim(),
      ...(expiresAt === null ? {} : { expiresAt }),
      ...(networks.length > 0 ? { networks } : {}),
      ...(isLimited ? { scopes: { businesses: chosen, permissions } } : {}),
    };
    const { apiTokens } = await changeKeys((keys) => {
      for (const { id } of keys) known.add(id!);
      return [...keys, key];
    });
    done(apiTokens, apiTokens.find(({ id }) => !known.has(id))!);
    await reloadMe();
  });
  const isComplete = !isLimited || (chosen.length > 0 && permissions.length > 0);
  return (
    <Dialog title={t('parts.newKey')} close={close}>
      <Problem error={error} fields />
      <Form submit={() => isComplete && run()} busy={isBusy}>
        <TextField
          label={t('parts.keyName')}
          hint={t('parts.keyNameHint')}
          value={name}
          onInput={setName}
          problem={problemOf(error, 'apiTokens')}
        />
        <CheckField label={t('parts.limitKey')} hint={t('parts.limitKeyHint')} value={isLimited} onInput={setLimited} />
        {isLimited && (
          <>
            {businesses.value.length > 1 && (
              <Choices
                legend={t('parts.keyBusinesses')}
                options={businesses.value.map(({ id, name: text }) => [id, text])}
                chosen={chosen}
                onInput={setChosen}
              />
            )}
            <Choices
              legend={t('parts.keyPermissions')}
              options={PERMISSIONS.map((each) => [each, t(`settings.can_${each}`)])}
              chosen={permissions}
              onInput={setPermissions}
            />
          </>
        )}
        <DateField label={optional(t('parts.keyExpires'))} value={expiresAt} onInput={setExpiresAt} />
        <TagsField
          label={optional(t('parts.keyNetworks'))}
          hint={t('parts.keyNetworksHint')}
          value={networks}
          onInput={setNetworks}
        />
        <DialogActions close={close} label={t('parts.createKey')} disabled={!isComplete} />
      </Form>
    </Dialog>
  );
}

type ChoicesProps<V extends string> = {
  legend: string;
  options: [V, string][];
  chosen: V[];
  onInput: (chosen: V[]) => void;
};

const Choices = <V extends string>({ legend, options, chosen, onInput }: ChoicesProps<V>) => (
  <fieldset>
    <legend>{legend}</legend>
    <div class="checks">
      {options.map(([value, text]) => (
        <CheckField
          key={value}
          label={text}
          value={chosen.includes(value)}
          onInput={(isChosen) => onInput(isChosen ? [...chosen, value] : chosen.filter((each) => each !== value))}
        />
      ))}
    </div>
  </fieldset>
);
