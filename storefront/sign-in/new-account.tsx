import type { Problems } from '../forms.tsx';

type NewAccountProps = { email: string; problems: Problems; words: { email: string; password: string; hint: string } };

export const NewAccount = ({ email, problems, words }: NewAccountProps) => (
  <>
    <div class="field">
      <label for="new-email">{words.email}</label>
      <input
        id="new-email"
        name="email"
        type="email"
        autocomplete="email"
        required
        value={email}
        aria-invalid={problems.email ? true : undefined}
        aria-describedby="new-email-problem"
      />
      <p id="new-email-problem" class="field-error">
        {problems.email}
      </p>
    </div>
    <div class="field">
      <label for="new-password">{words.password}</label>
      <input
        id="new-password"
        name="password"
        type="password"
        autocomplete="new-password"
        required
        aria-invalid={problems.password ? true : undefined}
        aria-describedby="new-password-hint new-password-problem"
      />
      <p id="new-password-hint" class="field-hint">
        {words.hint}
      </p>
      <p id="new-password-problem" class="field-error">
        {problems.password}
      </p>
    </div>
  </>
);
