import type { ComponentChildren } from 'preact';
import { money } from '../shop.ts';

type OptionProps = {
  name: string;
  checked: boolean;
  onChoose: () => void;
  label: ComponentChildren;
  note?: ComponentChildren;
  price?: string;
};

/** One of several choices: its name, a note and a price. */
export const Option = ({ name, checked, onChoose, label, note, price }: OptionProps) => (
  <label class="option">
    <input type="radio" name={name} checked={checked} onChange={onChoose} />
    <span class="option-text">
      <span>{label}</span>
      {note && <span class="quiet small">{note}</span>}
    </span>
    {price && <span class="option-price">{price}</span>}
  </label>
);

type CheckProps = { label: string; checked: boolean; onChange: (checked: boolean) => void };

export const Check = ({ label, checked, onChange }: CheckProps) => (
  <label class="check">
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
    <span>{label}</span>
  </label>
);

export const priceText = (amount: number, currency: string) => (amount === 0 ? 'Free' : money(amount, currency));
