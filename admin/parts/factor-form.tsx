/** Asks for one of several factors: a passkey, a code, a recovery code or the password. */
import type { PasskeyOptions } from '@souk/client';
import { useState } from 'preact/hooks';
import { hasPasskeys, usePasskey } from '../shell/passkeys.ts';
import { type TextKey, t } from '../text/index.ts';
import { Form, TextField } from './form/form.tsx';
import { useAction } from './load.ts';
import { Problem, problemOf } from './problem.tsx';

const FIELDS = {
  TOTP: { name: 'code', label: 'security.code', autocomplete: 'one-time-code', type: 'text' },
  RECOVERY_CODE: { name: 'code', label: 'security.recoveryCode', autocomplete: 'off', type: 'text' },
  PASSWORD: { name: 'password', label: 'shell.password', autocomplete: 'current-password', type: 'password' },
} as const;
type Typed = keyof typeof FIELDS;
export type Method = Typed | 'PASSKEY';

export type Proof = {
  challenge: string;
  method: Method;
  code?: string;
  password?: string;
  credential?: Record<string, unknown>;
};

type Props = {
  challenge: string;
  methods: readonly string[];
  /** The request that a passkey signs. */
  options: () => Promise<PasskeyOptions>;
  prove: (proof: Proof) => Promise<unknown>;
};

const isMethod = (name: string): name is Method => name in FIELDS || (name === 'PASSKEY' && hasPasskeys);

export function FactorForm({ challenge, methods, options, prove }: Props) {
  const usable = methods.filter(isMethod);
  const [method, setMethod] = useState<Method | undefined>(usable[0]);
  const [text, setText] = useState('');
  const { run, isBusy, error, clear } = useAction(async (chosen: Method) => {
    if (chosen !== 'PASSKEY') return prove({ challenge, method: chosen, [FIELDS[chosen].name]: text });
    const requested = await options();
    await prove({ challenge: requested.challenge, method: chosen, credential: await usePasskey(requested.options) });
  });
  if (!method) return <p>{t('security.noMethod')}</p>;
  const others = usable.filter((each) => each !== method);
  const field = method === 'PASSKEY' ? null : FIELDS[method];
  const problem = field ? problemOf(error, field.name) : undefined;
  return (
    <>
      {!problem && <Problem error={error} />}
      <Form key={method} submit={() => run(method)} busy={isBusy}>
        {field && (
          <TextField
            label={t(field.label)}
            type={field.type}
            autocomplete={field.autocomplete}
            value={text}
            onInput={setText}
            problem={problem}
          />
        )}
        <button type="submit" class="full" disabled={isBusy || (field !== null && text.trim() === '')}>
          {t(field ? 'security.continue' : 'security.usePasskey')}
        </button>
      </Form>
      <div class="factor-choices" hidden={others.length === 0}>
        {others.map((each) => (
          <button
            key={each}
            type="button"
            class="link"
            onClick={() => {
              clear();
              setText('');
              setMethod(each);
            }}
          >
            {t(`security.switch_${each}` as TextKey)}
          </button>
        ))}
      </div>
    </>
  );
}
