/** Asks for a second factor again before a sensitive action. The waiting request then continues automatically. */
import { Dialog } from '../parts/dialog.tsx';
import { FactorForm, type Proof } from '../parts/factor-form.tsx';
import { t } from '../text/index.ts';
import { logOut, pendingStepUp, souk } from './session.ts';

export function StepUpDialog() {
  const pending = pendingStepUp.value;
  if (!pending) return null;
  const { challenge, methods } = pending.error;
  const prove = async (proof: Proof) => pending.resolve(await souk.users.stepUp(proof));
  return (
    <Dialog title={t('security.stepUp')} close={() => pending.resolve(null)}>
      {methods.includes('LOGIN') ? (
        <>
          <p>{t('security.logInAgain')}</p>
          <button type="button" class="full" onClick={() => logOut()}>
            {t('shell.logInAgain')}
          </button>
        </>
      ) : (
        <>
          <p>{t('security.stepUpText')}</p>
          <FactorForm
            challenge={challenge ?? ''}
            methods={methods}
            options={() => souk.users.getStepUpOptions()}
            prove={prove}
          />
        </>
      )}
    </Dialog>
  );
}
